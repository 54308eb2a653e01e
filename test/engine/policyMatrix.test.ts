import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { CredentialValues } from '../support/engine';
import { actionSuite, byId, type ActionParameters } from '../support/actionSuite';

const { credential, run, sandbox } = actionSuite();

const NUMBERS = ['+447400123456', '+447400123457'];

/** A day of the week that it is nowhere on earth now: 1 (Monday) to 7 (Sunday). */
const OTHER_DAY = String(((new Date().getUTCDay() + 2) % 7) + 1);
const ALL_DAYS = ['1', '2', '3', '4', '5', '6', '7'];

const voice = {
	name: 'May',
	startDate: '2098-05-14',
	startTime: '09:30',
	finishTime: '17:00',
	callflow_Id: 301,
	defaultCli_Id: 401,
	cli_Id: 401,
	answerMachineDetected: 0,
	smsOnBusy: 0,
};

interface Sending {
	name: string;
	isVoice?: boolean;
	/** How many recipients one request has. */
	recipients: number;
	parameters: ActionParameters;
	items?: IDataObject[];
}

const sms = { message: 'Hi', sender: 'Shop' };

/** Each operation, and each source of recipients. */
const sendings: Sending[] = [
	{
		name: 'smsMessage send',
		recipients: 1,
		parameters: { resource: 'smsMessage', operation: 'send', phoneNumber: NUMBERS[0], ...sms },
	},
	{
		name: 'smsCampaign create from input items',
		recipients: 2,
		items: NUMBERS.map((phoneNumber) => ({ phoneNumber })),
		parameters: { resource: 'smsCampaign', operation: 'create', ...sms },
	},
	{
		name: 'voiceCampaign create from a list',
		isVoice: true,
		recipients: 2,
		parameters: {
			...{ resource: 'voiceCampaign', operation: 'create', phoneNumbersSource: 'list', ...voice },
			phoneNumbers: { entry: NUMBERS.map((number) => ({ number })) },
		},
	},
	{
		name: 'voiceCampaign createForClient from JSON',
		isVoice: true,
		recipients: 2,
		parameters: {
			...{ resource: 'voiceCampaign', operation: 'createForClient', ...voice },
			...{ phoneNumbersSource: 'json', phoneNumbersJson: JSON.stringify(NUMBERS) },
		},
	},
];

/** Calls, and hours by the service's clock, need its time zone. */
const inUtc = { serviceConventions: true, serviceTimeZone: 'UTC' };

interface RuleCase {
	rule: string;
	inside: CredentialValues;
	outside: CredentialValues;
}

function rulesOf({ isVoice, recipients }: Sending): RuleCase[] {
	return [
		{
			rule: 'onlyTheseNumbers',
			inside: { onlyTheseNumbers: `0044 20 7946 0958; ${NUMBERS.join(', ')}` },
			outside: { onlyTheseNumbers: '+44 20 7946 0958' },
		},
		{
			rule: 'allowedCountries',
			inside: { allowedCountries: 'gb, IE' },
			outside: { allowedCountries: 'FR' },
		},
		{
			rule: 'blockedNumberTypes',
			inside: { blockedNumberTypes: ['premiumRate'] },
			outside: { blockedNumberTypes: ['premiumRate', 'mobile'] },
		},
		{
			rule: 'maxRecipients',
			inside: { maxRecipients: recipients },
			outside: recipients === 1 ? { maxRecipients: 1 } : { maxRecipients: recipients - 1 },
		},
		...(['recipient', 'service'] as const).map((sendingHoursIn): RuleCase => ({
			rule: 'sendingHours',
			inside:
				isVoice === true
					? { ...inUtc, sendingHoursIn, sendingHoursFrom: '08:00', sendingHoursTo: '20:00' }
					: {
							...inUtc,
							sendingHoursIn,
							sendingDays: ALL_DAYS.filter((day) => day !== OTHER_DAY),
						},
			outside:
				isVoice === true
					? { ...inUtc, sendingHoursIn, sendingHoursFrom: '08:00', sendingHoursTo: '16:30' }
					: { ...inUtc, sendingHoursIn, sendingDays: [OTHER_DAY] },
		})),
	];
}

const jsons = (items: readonly INodeExecutionData[]) => items.map(({ json }) => json);

const sent = async () =>
	(await sandbox().requests({ limit: 1000 })).items.filter(({ method }) => method === 'POST');

describe.each(sendings.map((sending) => [sending.name, sending] as const))('%s', (_, sending) => {
	const { parameters, items = [{}] } = sending;
	const attempt = async (
		changes: CredentialValues,
		more: Partial<Parameters<typeof run>[1]> = {},
	) =>
		await run(parameters, {
			items,
			onError: 'continueErrorOutput',
			credential: credential({ sendingPolicy: true, ...changes }),
			...more,
		});

	it.each(rulesOf(sending).map((each) => [each.rule, each] as const))(
		'%s: goes out inside, is refused outside',
		async (rule, { inside, outside }) => {
			const allowed = await attempt(inside);
			expect(jsons(allowed.errorItems)).toEqual([]);
			expect(jsons(allowed.items)).toEqual([expect.objectContaining({ sent: 'yes' })]);
			expect(await sent()).toHaveLength(1);
			await sandbox().reset();

			// Of a single message, the second is one too many.
			const isSecond = rule === 'maxRecipients' && sending.recipients === 1;
			const refused = await attempt(outside, isSecond ? { items: [{}, {}] } : {});
			expect(await sent()).toHaveLength(isSecond ? 1 : 0);
			expect(refused.errorItems).toHaveLength(items.length);
			for (const { json } of refused.errorItems) {
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
				const shown = JSON.stringify(json);
				if (rule !== 'maxRecipients') expect(shown).toContain(NUMBERS[0]?.slice(0, 11));
			}
		},
	);

	it('is simulated: nothing is sent, and the output says so', async () => {
		const { items: output, errorItems } = await attempt({ simulate: true });
		expect(errorItems).toEqual([]);
		expect(jsons(output)).toEqual([
			expect.objectContaining({
				...{ simulated: true, sent: 'no' },
				[parameters.resource === 'smsMessage' ? 'newId' : 'id']: 'simulated',
			}),
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

describe('requests whose recipients are not in them', () => {
	const createCampaign = async () => {
		const { items } = await run(
			{
				resource: 'smsCampaign',
				operation: 'create',
				...sms,
				startDateTime: '2098-05-14T10:00:00Z',
			},
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
		const allowed = await update(id, { allowedCountries: 'GB' }, { message: 'New' });
		expect(allowed.errorItems).toEqual([]);
		const refusals: [CredentialValues, string][] = [
			[{ allowedCountries: 'FR' }, 'allowedCountries'],
			[{ blockedNumberTypes: ['mobile'] }, 'blockedNumberTypes'],
			[{ maxRecipients: 1 }, 'maxRecipients'],
			[{ sendingHoursTo: '11:00' }, 'sendingHours'],
		];
		const before = (await sent()).length;
		for (const [changes, policyRule] of refusals) {
			const { errorItems } = await update(id, changes, { message: 'Newer' });
			expect(jsons(errorItems)).toEqual([expect.objectContaining({ policyRule, sent: 'no' })]);
		}
		expect(await sent()).toHaveLength(before);
		// 10:30 in London; moved to 09:30.
		const moved = await update(
			id,
			{ sendingHoursTo: '11:00' },
			{ startDateTime: '2098-05-14T08:30:00Z' },
		);
		expect(moved.errorItems).toEqual([]);
		const simulated = await update(id, { simulate: true }, { message: 'Newest' });
		expect(jsons(simulated.items)).toEqual([expect.objectContaining({ simulated: true })]);
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
		for (const { parameters, items } of sendings.slice(0, 2)) {
			const { errorItems } = await run(parameters, {
				items,
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
		const changes = { sendingPolicy: true, allowedCountries: 'FR', sendingDays: [OTHER_DAY] };
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
