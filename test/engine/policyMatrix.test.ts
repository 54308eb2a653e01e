import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { CredentialValues } from '../support/engine';
import {
	actionSuite,
	byId,
	createCampaign,
	sendMessage,
	type ActionParameters,
} from '../support/actionSuite';
import { voiceParameters } from '../support/voiceCampaign';

const { credential, run, sandbox } = actionSuite();

const NUMBERS = ['+447400123456', '+447400123457'];

/** At 19:00 in Britain; calls are made from 9:30 to 17:00. */
const sms = { ...createCampaign, startDateTime: '2098-05-14T18:00:00Z' };

const sendings: Record<string, ActionParameters> = {
	'SMS campaign': { ...sms, contactsSource: 'json', contactsJson: JSON.stringify(NUMBERS) },
	'voice campaign': {
		...{ ...voiceParameters, operation: 'create', phoneNumbersSource: 'list' },
		phoneNumbers: { entry: NUMBERS.map((number) => ({ number })) },
	},
};

/** Calls, and hours by the service's clock, need its time zone. */
const inUtc = { serviceConventions: true, serviceTimeZone: 'UTC', sendingHoursFrom: '08:00' };

const RULES: [rule: string, inside: CredentialValues, outside: CredentialValues][] = [
	[
		'onlyTheseNumbers',
		{ onlyTheseNumbers: `0044 20 7946 0958; ${NUMBERS.join(', ')}` },
		{ onlyTheseNumbers: '+44 20 7946 0958' },
	],
	['allowedCountries', { allowedCountries: 'gb, IE' }, { allowedCountries: 'FR' }],
	[
		'blockedNumberTypes',
		{ blockedNumberTypes: ['premiumRate'] },
		{ blockedNumberTypes: ['premiumRate', 'mobile'] },
	],
	['maxRecipients', { maxRecipients: 2 }, { maxRecipients: 1 }],
	['pauseSending', { pauseSending: false }, { pauseSending: true }],
	...['recipient', 'service'].map((sendingHoursIn): (typeof RULES)[number] => [
		'sendingHours',
		{ ...inUtc, sendingHoursIn, sendingHoursTo: '20:00' },
		{ ...inUtc, sendingHoursIn, sendingHoursTo: '16:30' },
	]),
];

const jsons = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json);

const sent = async () =>
	(await sandbox().requests({ limit: 1000 })).items.filter(({ method }) => method === 'POST');

describe.each(Object.entries(sendings))('%s', (_, parameters) => {
	const attempt = async (changes: CredentialValues) =>
		await run(parameters, {
			onError: 'continueErrorOutput',
			credential: credential({ sendingPolicy: true, ...changes }),
		});

	it.each(RULES)('%s: goes out inside, is refused outside', async (rule, inside, outside) => {
		const allowed = await attempt(inside);
		expect(jsons(allowed.errorItems)).toEqual([]);
		expect(jsons(allowed.items)).toEqual([expect.objectContaining({ sent: 'yes' })]);
		expect(await sent()).toHaveLength(1);
		await sandbox().reset();

		const refused = await attempt(outside);
		expect(await sent()).toEqual([]);
		expect(refused.errorItems).toHaveLength(1);
		const [json = {}] = jsons(refused.errorItems);
		expect(json).toMatchObject({
			error: expect.stringMatching(/Sending Policy/),
			sent: 'no',
			policyRule: rule,
			allowed: expect.stringMatching(/./),
		});
		expect(String(json.error).length).toBeLessThanOrEqual(80);
		if (rule === 'sendingHours') {
			expect(Date.parse(String(json.nextAllowedTime))).toBeGreaterThan(Date.now());
		}
		if (!['maxRecipients', 'pauseSending'].includes(rule))
			expect(JSON.stringify(json)).toContain(NUMBERS[0]);
	});

	it('is simulated: nothing is sent, and the output says so', async () => {
		const { items: output, errorItems } = await attempt({ simulate: true });
		expect(errorItems).toEqual([]);
		expect(jsons(output)).toEqual([
			expect.objectContaining({ simulated: true, sent: 'no', id: 'simulated' }),
		]);
		expect(await sent()).toEqual([]);
		const refused = await attempt({ simulate: true, allowedCountries: 'FR' });
		expect(refused.items).toEqual([]);
	});

	it('needs the time zone of the service where its clock counts', async () => {
		const { errorItems } = await attempt({ sendingHoursIn: 'service', sendingHoursTo: '23:59' });
		expect(jsons(errorItems)[0]).toMatchObject({
			error: 'Sending Policy: Service Time Zone is not set',
			policyRule: 'sendingHours',
			sent: 'no',
		});
		expect(await sent()).toEqual([]);
	});
});

it('calls, whose times are those of the service, need its time zone for any sending hours', async () => {
	const { errorItems } = await run(sendings['voice campaign'] ?? sms, {
		onError: 'continueErrorOutput',
		credential: credential({ sendingPolicy: true, sendingHoursTo: '23:59' }),
	});
	expect(jsons(errorItems)).toMatchObject([
		{ error: 'Sending Policy: Service Time Zone is not set', sent: 'no' },
	]);
	expect(await sent()).toEqual([]);
});

it('a message that is simulated has no ID of the service', async () => {
	const simulating = credential({ sendingPolicy: true, simulate: true });
	const { items } = await run(sendMessage, { credential: simulating });
	expect(jsons(items)).toEqual([
		expect.objectContaining({ simulated: true, sent: 'no', newId: 'simulated' }),
	]);
	expect(await sent()).toEqual([]);
});

it('what reaches nobody is done, also where messages are simulated', async () => {
	const { items } = await run(
		{
			resource: 'phoneNumberStorage',
			operation: 'create',
			storageID: 'ada',
			number: '07400123456',
		},
		{ credential: credential({ sendingPolicy: true, simulate: true }) },
	);
	expect(jsons(items)).toEqual([expect.not.objectContaining({ simulated: true })]);
	expect(await sent()).toMatchObject([{ body: { storageID: 'ada' } }]);
});

describe('requests whose recipients are not in them', () => {
	const createCampaign = async () => {
		const { items } = await run(
			{ ...sms, startDateTime: '2098-05-14T10:00:00Z' },
			{ items: NUMBERS.map((phoneNumber) => ({ phoneNumber })) },
		);
		return String(items[0]?.json.id);
	};
	const update = async (id: string, changes: CredentialValues, fields: IDataObject) =>
		await run(
			{
				resource: 'smsCampaign',
				operation: 'update',
				campaignId: byId(id),
				updateFields: fields,
			},
			{
				onError: 'continueErrorOutput',
				credential: credential({ sendingPolicy: true, ...changes }),
			},
		);

	it('an update is checked against the contacts and the start of its campaign', async () => {
		const id = await createCampaign();
		// It starts at 11:00 in London. This test hardly ever runs at that minute of the day.
		const aroundStart = { sendingHoursFrom: '10:59', sendingHoursTo: '11:01' };
		for (const changes of [{ allowedCountries: 'GB' }, aroundStart]) {
			const { errorItems } = await update(id, changes, { message: 'New' });
			expect(errorItems).toEqual([]);
		}
		const refusals: [CredentialValues, string][] = [
			[{ allowedCountries: 'FR' }, 'allowedCountries'],
			[{ blockedNumberTypes: ['mobile'] }, 'blockedNumberTypes'],
			[{ maxRecipients: 1 }, 'maxRecipients'],
			[{ sendingHoursTo: '11:00' }, 'sendingHours'],
			[{ pauseSending: true }, 'pauseSending'],
			[{ maxMessageParts: 1 }, 'maxMessageParts'],
		];
		const before = (await sent()).length;
		for (const [changes, policyRule] of refusals) {
			const { errorItems } = await update(id, changes, { message: 'x'.repeat(161) });
			expect(jsons(errorItems)).toEqual([expect.objectContaining({ policyRule, sent: 'no' })]);
		}
		expect(await sent()).toHaveLength(before);
		// Moved to 09:30.
		const moved = await update(
			id,
			{ sendingHoursTo: '11:00' },
			{ startDateTime: '2098-05-14T08:30:00Z' },
		);
		expect(moved.errorItems).toEqual([]);
		const simulated = await update(id, { simulate: true }, { message: 'Newest' });
		const would = { simulated: true, sent: 'no', message: 'Newest' };
		expect(jsons(simulated.items)).toEqual([expect.objectContaining(would)]);
		expect(await sent()).toHaveLength(before + 1);
	});

	it('an update whose contacts cannot be read was not sent', async () => {
		const id = await createCampaign();
		const before = (await sent()).length;
		await sandbox().fault({
			match: { operationId: 'listSmsCampaignContacts' },
			times: 'always',
			fault: { kind: 'status', status: 404 },
		});
		const { errorItems } = await update(id, { allowedCountries: 'GB' }, { message: 'New' });
		expect(jsons(errorItems)).toEqual([expect.objectContaining({ httpStatus: 404, sent: 'no' })]);
		expect(await sent()).toHaveLength(before);
	});

	it('nothing is sent with a policy that cannot be read', async () => {
		for (const parameters of [sendMessage, ...Object.values(sendings)]) {
			const { errorItems } = await run(parameters, {
				onError: 'continueErrorOutput',
				credential: credential({ sendingPolicy: true, sendingHoursFrom: "9 o'clock" }),
			});
			expect(jsons(errorItems)[0]).toMatchObject({
				error: 'Sending Policy: Sending Hours From is not a time',
				sent: 'no',
			});
		}
		expect(await sent()).toEqual([]);
	});

	it('storing a number and registering a webhook reach nobody', async () => {
		const changes = {
			sendingPolicy: true,
			allowedCountries: 'FR',
			onlyTheseNumbers: '+442079460958',
		};
		const stored = await run(
			{
				resource: 'phoneNumberStorage',
				operation: 'create',
				storageID: 'a',
				number: NUMBERS[0],
			},
			{ credential: credential(changes) },
		);
		expect(stored.error).toBeUndefined();
		expect(await sent()).toHaveLength(1);
	});
});
