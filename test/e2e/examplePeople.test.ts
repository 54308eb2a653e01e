import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow } from '../../host/n8nClient.ts';
import { poll } from '../../host/poll.ts';
import {
	dataOf,
	exampleSuite,
	itIfRunnable,
	uploaded,
	withOwnTables,
} from './support/exampleSuite.ts';
import { bodies, sandbox } from './support/host.ts';

const texted = async () =>
	(await bodies<{ phoneNumber: string; message: string }>())
		.map(({ phoneNumber, message }) => `${phoneNumber} ${message}`)
		.sort();

describe('the examples for what people send every day', () => {
	const { suite, example, run, fail } = exampleSuite('Example People');

	itIfRunnable('text-each-person-by-name.json')(
		'text each person by name, and give out the rows to fix',
		async () => {
			const execution = await example(
				'text-each-person-by-name.json',
				async (workflow) => await run(workflow, 'Start'),
			);
			expect(await texted()).toEqual(
				[
					['101', 'Ada', 'flat white'],
					['102', 'Blaise', 'espresso'],
					['103', 'Charles', 'filter coffee'],
					['104', 'Grace', 'cappuccino'],
				].map(
					([ending, name, drink]) =>
						`+447700900${ending} Hi ${name}, your ${drink} is 20 % off at our shop until Sunday.`,
				),
			);
			expect(dataOf(execution, 'Sent')).toHaveLength(4);
			expect(dataOf(execution, 'Rows to Fix')).toMatchObject([
				{ name: 'Edsger', error: expect.stringContaining('has lost digits'), sent: 'no' },
				{ name: 'Hedy', error: expect.stringContaining('is empty'), sent: 'no' },
			]);
		},
	);

	itIfRunnable('text-each-person-by-name.json')(
		'end in an error where something else than a row keeps a text from going out',
		async () => {
			await sandbox().fault({
				match: { operationId: 'sendSmsMessage' },
				...{ skip: 3, fault: { kind: 'status', status: 403 } },
			});
			const { message } = await example(
				'text-each-person-by-name.json',
				async (workflow) => await fail(workflow, 'Start'),
			);
			expect(message).toMatch(
				/^Not texted: (Ada|Blaise|Charles|Grace) \(sent: no, .* \(403\)\.\)$/,
			);
		},
	);

	itIfRunnable('people-from-a-file.json')(
		'text nobody who opted out or said no, whatever name the number has next',
		async () => {
			const suffix = randomUUID();
			const birthday = DateTime.utc().minus({ years: 30 }).toISODate();
			const seen = new Set<string>();
			const upload = async (optedOut: string, ...rows: string[]) => {
				const people = rows.map((row) => {
					const [ending = '', name = '', consent = ''] = row.split(' ');
					// The file of a later upload has the birthdays of new people only.
					const isNew = !seen.has(`${ending} ${name}`);
					seen.add(`${ending} ${name}`);
					return { phone: `07700 900${ending}`, name, consent, ...(isNew && { birthday }) };
				});
				await example(
					'people-from-a-file.json',
					async (workflow) => await run(workflow, 'Upload a List'),
					(workflow) => {
						const changed = withOwnTables(suffix)(uploaded(people)(workflow));
						const { parameters } = changed.nodes.find(({ name }) => name === 'Rows to Store') ?? {};
						if (parameters === undefined) throw new Error('Nothing is stored');
						if (optedOut === '') return changed;
						const code = String(parameters.jsCode);
						parameters.jsCode = code.replace('proof:', `optedOut: '${optedOut}', proof:`);
						return changed;
					},
				);
			};
			const vouchers = async () => {
				await example(
					'birthday-voucher.json',
					async (workflow) => await run(workflow, 'Start'),
					(workflow) => {
						const changed = withOwnTables(suffix)(workflow);
						return { ...changed, settings: { ...changed.settings, timezone: 'UTC' } };
					},
				);
				return (await texted()).map((text) => text.slice(10, 13));
			};
			// As Sign Up With Proof and the opt-outs leave them.
			await upload('2030-05-17T09:00:00Z', '101 Ann no');
			await upload('', '102 Bea no', '103 Cy yes', '104 Di no', '105 Eve no', '105 Eve yes');
			await upload('', '101 Ann yes', '102 Bee yes', '103 Cyril yes', '104 Di yes');
			await upload('', '101 Annie yes');
			expect(await vouchers()).toEqual(['103', '103', '104']);
			// Where all names of a number say yes.
			await upload('', '102 Bea yes', '102 Bee yes', '101 Ann yes', '101 Annie yes');
			expect(await vouchers()).toEqual(['102', '102', '103', '103', '104']);
		},
	);

	const sheetFile = 'write-results-back-to-the-sheet.json';
	itIfRunnable(sheetFile)('write the status of each message into its row', async () => {
		const upload = uploaded([
			{ phone: '07700 900101', name: 'Ada' },
			{ phone: '+44 7700 900102', name: 'Blaise' },
			{ phone: '07700 900905', name: 'Dorothy' },
			{ phone: '4.477E+11', name: 'Edsger' },
			{ phone: '+447700900101', name: 'Ada' },
		]);
		const use = async (workflow: Workflow) => {
			// Edsger's number is no number: the error names him, after all else is done.
			const first = await fail(workflow, 'Upload a List');
			expect(first.message).toMatch(/^Not texted: Edsger \(sent: no, Phone Number has lost digits/);
			expect(dataOf(first, 'Send SMS').map(({ sent }) => sent)).toEqual([
				'yes',
				'yes',
				'yes',
				'no',
			]);
			const pinned = await run(workflow, 'On SMS Status');
			expect(dataOf(pinned, 'Update Row')).toMatchObject([
				{ name: 'Ada', status: 'Delivered' },
				{ name: 'Dorothy', status: 'Undeliverable' },
			]);
			expect(await suite.n8n.activateWorkflow(workflow.id)).toMatchObject({ status: 'published' });
			// As some services write them: the rows are found all the same.
			await sandbox().settings({ conventions: { numberForm: 'withoutPlus' } });
			await sandbox().event({
				webHookType: 1,
				data: { Id: 1, phoneNumber: '447700900101', parts: 1, statusCode: 0 },
			});
			await fail(workflow, 'Upload a List');
			const rows = await poll(
				async () => {
					const executions = await Promise.all(
						(await suite.n8n.executionIds(workflow.id)).map(
							async (id) => await suite.n8n.execution(id),
						),
					);
					// Beside the three runs by hand.
					const found = executions
						.filter(({ runData }) => runData['Read the List'] === undefined)
						.flatMap((execution) => dataOf(execution, 'Update Row'));
					return found.length >= 2 + 3 ? found : undefined;
				},
				{ what: 'the results of the three messages', timeout: 120_000 },
			);
			expect(rows.map(({ name, status }) => `${String(name)} ${String(status)}`)).toEqual(
				expect.arrayContaining(['Ada Delivered', 'Blaise Delivered', 'Dorothy Undeliverable']),
			);
			expect(rows.map(({ status }) => status)).not.toContain('Sent');
		};
		await example(sheetFile, use, (workflow) => withOwnTables(randomUUID())(upload(workflow)));
	});

	itIfRunnable('nine-oclock-for-everyone.json')(
		'start a campaign at nine in the time zone of each recipient',
		async () => {
			const phones = ['+44 7700 900101', '07700 900102', '+1 212 555 0142', '+1 212 555 0167'];
			await example(
				'nine-oclock-for-everyone.json',
				async (workflow) => await run(workflow, 'Upload a List'),
				uploaded([...phones, '+1 310 555 0119', '4.477E+11'].map((phone) => ({ phone }))),
			);
			const made = await bodies<{ startDateTime: string; contacts: { phoneNumber: string }[] }>(
				'/api/Campaigns',
			);
			const clocks = made.map(({ startDateTime, contacts }) => {
				const [first] = contacts.map(({ phoneNumber }) => phoneNumber);
				const zone =
					first?.startsWith('+44') === true
						? 'Europe/London'
						: first?.startsWith('+1212') === true
							? 'America/New_York'
							: 'America/Los_Angeles';
				const clock = DateTime.fromISO(startDateTime, { zone }).toFormat('HH:mm');
				return `${zone} ${contacts.length} ${clock}`;
			});
			expect(clocks.sort()).toEqual([
				'America/Los_Angeles 1 09:00',
				'America/New_York 2 09:00',
				'Europe/London 2 09:00',
			]);
		},
	);
});
