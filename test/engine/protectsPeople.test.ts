import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';
import { pairs, respond, validParameters } from '../support/everyOperation';
import { provideProcessedData, resetProcessedData } from '../support/deduplication';
import { FORBIDDING } from '../support/policyModel';
import { startServer, type LocalServer } from '../support/servers';
import { setDate } from '../support/waits';

/**
 * What protects people works for each operation that reaches them: found by a run of every operation
 * of the node, so that a new one is among them.
 */

const NUMBER = '+447700900123';
const REACHES_NOBODY = /^\/api\/(PhoneNumberStorageItem|integrations\/UpdateWebHook)(\/|\?|$)/;

let service: LocalServer;
/** Whether the service loses the connection after it has accepted a request. */
let isBroken = false;

beforeAll(async () => {
	await provideProcessedData();
	service = await startServer((request, response) => {
		if (isBroken && request.method === 'POST') return void response.destroy();
		response.setHeader('Content-Type', 'application/json');
		const list = isStoredList(request.url)
			? STORED
			: isMessageList(request.url)
				? texts()
				: undefined;
		const record = respond(request);
		const isSmsCampaign = request.method === 'GET' && /\/Campaigns\/c7$/.test(request.url);
		const campaign = { ...(record as object), startDateTime: '2027-01-12T10:30:00' };
		response.end(JSON.stringify(list ?? (isSmsCampaign ? campaign : record)));
	});
});
beforeEach(() => {
	resetProcessedData();
	isBroken = false;
	// A winter's day in office hours.
	setDate(Date.parse('2027-01-12T10:00Z'));
});
afterEach(() => {
	jest.useRealTimers();
});
afterAll(async () => {
	await service.close();
});

const isStoredList = (url: string) => /PhoneNumberStorageItem\/\d+\/1/.test(url);
const STORED = {
	...{ pageIndex: 1, totalPages: 1, totalRecords: 1 },
	items: [{ storageID: '1', number: NUMBER, parameter1: 'opted out' }],
};

const isMessageList = (url: string) => /\/SMSMessages\?/.test(url);
const texts = () => ({
	...STORED,
	items: [{ id: 1, phoneNumber: NUMBER, status: 1, dateCreated: new Date().toISOString() }],
});

type Options = Omit<Partial<Parameters<typeof runAction>[0]>, 'credential' | 'parameters'>;

/** Runs an operation. @returns the requests that reach people, and the items of all its runs */
async function play(parameters: IDataObject, policy: IDataObject = {}, options: Options = {}) {
	service.received.length = 0;
	const { run } = await runAction({
		credential: {
			...{ baseUrl: service.url, authentication: 'none', clientId: '1001' },
			...{ serviceConventions: true, serviceTimeZone: 'UTC', ...policy },
		},
		parameters,
		onError: 'continueErrorOutput',
		...options,
	});
	const tasks = run.data.resultData.runData['Messaging Service'] ?? [];
	const outputs = tasks.flatMap(({ data }) => data?.main ?? []);
	return {
		requests: service.received
			.filter(({ method, url }) => method === 'POST' && !REACHES_NOBODY.test(url))
			.map(({ body }) => body),
		items: outputs.flatMap((items) => items ?? []).map(({ json }) => json),
	};
}

const names: string[] = [];
const withNumbers: string[] = [];
/** Those of which a policy knows whom they reach. */
const judged: string[] = [];
const withText: string[] = [];
const parametersOf = new Map<string, IDataObject>();

beforeAll(async () => {
	for (const pair of pairs) {
		const name = `${pair.resource} ${pair.operation}`;
		const parameters = validParameters(pair);
		const { requests } = await play(parameters);
		if (requests.length > 0) names.push(name);
		if (requests.some((body) => body.includes(NUMBER))) withNumbers.push(name);
		parametersOf.set(name, parameters);
		const { items } = await play(parameters, { sendingPolicy: true, allowedCountries: 'IS' });
		if (items[0]?.policyRule === 'allowedCountries') judged.push(name);
	}
	withText.push(...judged.filter((name) => name.startsWith('sms')));
	expect(withText).toHaveLength(3);
	expect(judged).toEqual(expect.arrayContaining(withNumbers));
	expect(names).toContain('smsMessage send');
	expect(names.length).toBeGreaterThan(withNumbers.length);
});

/** Expects of each operation how many requests it makes, and its items. */
async function expectOfEach(
	operations: readonly string[],
	expected: { requests: number; items: IDataObject[] },
	run: (parameters: IDataObject) => ReturnType<typeof play>,
) {
	for (const operation of operations) {
		const { requests, items } = await run(parametersOf.get(operation) ?? {});
		expect({ operation, requests: requests.length, items }).toMatchObject({
			operation,
			...expected,
		});
	}
}

const refused = { requests: 0, items: [{ sent: 'no' }] };

/** What the output says of a request that a rule refuses: also what is allowed, or what to do. */
const forbidden = (policyRule: string, more: IDataObject = {}) => ({
	sent: 'no',
	policyRule,
	allowed: expect.stringMatching(/^\w.+\.$/),
	reason: expect.stringMatching(/^Refused: \w.+\. \w.+\.$/),
	...more,
});
const refusedBy = (...about: Parameters<typeof forbidden>) => ({
	...{ requests: 0, items: [forbidden(...about)] },
});

describe('each operation that reaches people', () => {
	it('sends nothing in a dry run', async () => {
		await expectOfEach(
			names,
			{ requests: 0, items: [{ dryRun: true }] },
			async (parameters) => await play({ ...parameters, dryRun: true }),
		);
	});

	it.each(FORBIDDING)(
		'sends what %s of the sending policy allows, and nothing else',
		async (policyRule, forbids, allows) => {
			await expectOfEach(judged, refusedBy(policyRule), async (parameters) => {
				const result = await play(parameters, { sendingPolicy: true, ...forbids });
				if (policyRule !== 'pauseSending') expect(JSON.stringify(result.items)).toContain(NUMBER);
				return result;
			});
			await expectOfEach(
				judged,
				{ requests: 1, items: [{ sent: 'yes' }] },
				async (parameters) => await play(parameters, { sendingPolicy: true, ...allows }),
			);
		},
	);

	it('reaches one more person only where Max Recipients allows one more', async () => {
		await expectOfEach(
			judged,
			{ requests: 1, items: [{ sent: 'yes' }, forbidden('maxRecipients')] },
			async (parameters) =>
				await play(parameters, { sendingPolicy: true, maxRecipients: 1 }, { loops: 2 }),
		);
	});

	it('sends nothing under a policy where its request names nobody', async () => {
		const unknown = names.filter((name) => !judged.includes(name));
		expect(unknown).not.toEqual([]);
		await expectOfEach(
			unknown,
			refusedBy('unknownRequest'),
			async (parameters) => await play(parameters, { sendingPolicy: true }),
		);
	});

	it('sends nothing under a policy that cannot be read', async () => {
		const error = 'Sending Policy: Sending Hours From is not a time';
		const policy = { sendingPolicy: true, sendingHoursFrom: "9 o'clock" };
		await expectOfEach(
			names,
			{ requests: 0, items: [{ sent: 'no', error }] },
			async (parameters) => await play(parameters, policy),
		);
	});

	it('needs the time zone of the service where its clock counts: for calls, by all sending hours', async () => {
		const hours = { sendingPolicy: true, sendingHoursTo: '23:59', serviceTimeZone: '' };
		const error = 'Sending Policy: Service Time Zone is not set, or not known';
		const between = { sendingPolicy: true, hoursBetweenTexts: 1, serviceTimeZone: '' };
		for (const [rule, operations, policy] of [
			['sendingHours', judged, { ...hours, sendingHoursIn: 'service' }],
			['sendingHours', judged.filter((name) => name.startsWith('voice')), hours],
			['hoursBetweenTexts', withText, between],
		] as const) {
			expect(operations).not.toEqual([]);
			await expectOfEach(
				operations,
				refusedBy(rule, { error }),
				async (parameters) => await play(parameters, policy),
			);
		}
	});

	it("sends nothing to people on the credential's do-not-contact list", async () => {
		const rule = { doNotContactParameter: 'parameter1', doNotContactValue: 'opted out' };
		const policy = { sendingPolicy: true, ...rule };
		await expectOfEach(names, refused, async (parameters) => await play(parameters, policy));
	});

	it.each<[string, IDataObject, IDataObject]>([
		['maxMessageParts', { maxMessageParts: 1 }, { maxMessageParts: 2 }],
		['allowedSenders', { allowedSenders: 'Bank' }, { allowedSenders: 'Bank, shop ' }],
	])(
		'sends the text that %s of the sending policy allows, and no other',
		async (policyRule, forbids, allows) => {
			const text = { message: 'x'.repeat(161), sender: 'Shop' };
			const playText = async (parameters: IDataObject, rule: IDataObject) =>
				await play(
					{ ...parameters, ...text, updateFields: text },
					{ sendingPolicy: true, ...rule },
				);
			await expectOfEach(
				withText,
				refusedBy(policyRule),
				async (parameters) => await playText(parameters, forbids),
			);
			const sending = { requests: 1, items: [{ sent: 'yes' }] };
			await expectOfEach(
				withText,
				sending,
				async (parameters) => await playText(parameters, allows),
			);
		},
	);

	it('sends no text to people who have another one within the hours of the sending policy', async () => {
		const policy = { sendingPolicy: true, hoursBetweenTexts: 1 };
		await expectOfEach(withText, refused, async (parameters) => {
			const result = await play({ ...parameters, startDateTime: '' }, policy);
			expect(JSON.stringify(result.items)).toContain('has another text within an hour');
			return result;
		});
	});

	it('texts and calls no premium-rate number, with and without a sending policy', async () => {
		const toPremium = (parameters: IDataObject) =>
			JSON.parse(JSON.stringify(parameters).replaceAll(NUMBER, '+449098790000')) as IDataObject;
		for (const policy of [{}, { sendingPolicy: true }]) {
			await expectOfEach(
				withNumbers,
				refusedBy('blockedNumberTypes'),
				async (parameters) => await play(toPremium(parameters), policy),
			);
		}
	});

	it('sends nothing where the sending policy only simulates, and says what it checked', async () => {
		const policy = { sendingPolicy: true, simulate: true };
		await expectOfEach(
			judged,
			{ requests: 0, items: [{ sent: 'no', simulated: true }] },
			async (parameters) => await play(parameters, policy),
		);
		for (const [operation, id] of Object.entries({
			'smsMessage send': { newId: 'simulated' },
			'smsCampaign create': { id: 'simulated' },
			'smsCampaign update': { message: 'Hi' },
			'voiceCampaign create': { id: 'simulated' },
		})) {
			const { items } = await play(parametersOf.get(operation) ?? {}, policy);
			expect({ operation, items }).toMatchObject({ operation, items: [id] });
			// What was there before has its own.
			const isNew = !operation.endsWith('update');
			expect([operation, Object.values(items[0] ?? {}).includes('simulated')]).toEqual([
				operation,
				isNew,
			]);
		}
		await expectOfEach(
			judged,
			refusedBy('allowedCountries'),
			async (parameters) => await play(parameters, { ...policy, allowedCountries: 'IS' }),
		);
	});

	const simulated = { sent: 'no', simulated: true };
	const asTool = { settings: { type: 'messagingServiceTool' } };
	it.each<[string, IDataObject, Options, IDataObject]>([
		['with a policy', { sendingPolicy: true }, {}, { sent: 'no' }],
		['without a policy', {}, {}, simulated],
		['by an agent', {}, asTool, simulated],
	])('reaches nobody in an evaluation, %s', async (_, policy, options, item) => {
		await expectOfEach(
			names,
			{ requests: 0, items: [item] },
			async (parameters) => await play(parameters, policy, { mode: 'evaluation', ...options }),
		);
	});

	it.each<[string, IDataObject]>([
		['entered', { doNotContactNumbers: NUMBER }],
		[
			'stored',
			{ doNotContactStored: { match: [{ parameter: 'parameter1', value: 'opted out' }] } },
		],
	])('leaves out whoever is on a do-not-contact list that is %s', async (_, options) => {
		await expectOfEach(
			withNumbers,
			refused,
			async (parameters) => await play({ ...parameters, options }),
		);
	});

	it('sends nothing again, with Retry On Fail, that was possibly sent', async () => {
		isBroken = true;
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		await expectOfEach(
			names,
			{ requests: 1, items: [{ sent: 'possibly' }] },
			async (parameters) => await play(parameters, {}, { settings }),
		);
	});

	it('makes an identical request of an agent once', async () => {
		const settings = { type: 'messagingServiceTool' };
		await expectOfEach(
			names,
			{ requests: 1, items: [{ sent: 'yes' }, { sent: 'yes', alreadySent: true }] },
			async (parameters) => await play(parameters, {}, { settings, loops: 2 }),
		);
	});
});

it('a number is stored under any policy, also where messages are simulated', async () => {
	const policy = {
		sendingPolicy: true,
		simulate: true,
		pauseSending: true,
		allowedCountries: 'IS',
	};
	const parameters = validParameters({ resource: 'phoneNumberStorage', operation: 'create' });
	const { items } = await play(parameters, policy);
	expect(service.received.map(({ method }) => method)).toEqual(['POST']);
	expect(items).toEqual([expect.not.objectContaining({ simulated: true })]);
});
