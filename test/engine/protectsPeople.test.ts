import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/engine';
import { pairs, respond, validParameters } from '../support/everyOperation';
import { provideProcessedData, resetProcessedData } from '../support/deduplication';
import { FORBIDDING } from '../support/policyModel';
import { startServer, type LocalServer } from '../support/servers';

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
		response.end(JSON.stringify(list ?? respond(request)));
	});
});
beforeEach(() => {
	resetProcessedData();
	isBroken = false;
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
const parametersOf = new Map<string, IDataObject>();

beforeAll(async () => {
	for (const pair of pairs) {
		const name = `${pair.resource} ${pair.operation}`;
		const parameters = validParameters(pair);
		const { requests } = await play(parameters);
		if (requests.length > 0) names.push(name);
		if (requests.some((body) => body.includes(NUMBER))) withNumbers.push(name);
		parametersOf.set(name, parameters);
	}
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

describe('each operation that reaches people', () => {
	it('sends nothing in a dry run', async () => {
		await expectOfEach(
			names,
			{ requests: 0, items: [{ dryRun: true }] },
			async (parameters) => await play({ ...parameters, dryRun: true }),
		);
	});

	it.each(FORBIDDING)(
		'sends nothing that %s of the sending policy does not allow',
		async (rule, fields) => {
			// Of a request that names nobody, no rule can tell.
			const policyRule = expect.stringMatching(`^(${rule}|unknownRequest)$`) as string;
			const expected = { requests: 0, items: [{ sent: 'no', policyRule }] };
			const policy = { sendingPolicy: true, ...fields };
			await expectOfEach(names, expected, async (parameters) => await play(parameters, policy));
		},
	);

	it("sends nothing to people on the credential's do-not-contact list", async () => {
		const rule = { doNotContactParameter: 'parameter1', doNotContactValue: 'opted out' };
		const policy = { sendingPolicy: true, ...rule };
		await expectOfEach(names, refused, async (parameters) => await play(parameters, policy));
	});

	it('sends no text with more parts than the sending policy allows', async () => {
		const message = 'x'.repeat(161);
		const policy = { sendingPolicy: true, maxMessageParts: 1 };
		const withText = names.filter((name) => parametersOf.get(name)?.message !== undefined);
		expect(withText.length).toBeGreaterThan(1);
		await expectOfEach(
			withText,
			{ requests: 0, items: [{ sent: 'no', policyRule: 'maxMessageParts' }] },
			async (parameters) => await play({ ...parameters, message }, policy),
		);
	});

	it('sends no text from a sender that the sending policy does not allow', async () => {
		const policy = { sendingPolicy: true, allowedSenders: 'Bank' };
		const withText = names.filter((name) => /^sms.* (send|create|update)$/.test(name));
		expect(withText).toHaveLength(3);
		await expectOfEach(
			withText,
			{ requests: 0, items: [{ sent: 'no', policyRule: 'allowedSenders' }] },
			async (parameters) => await play(parameters, policy),
		);
	});

	it('sends no text to people who have another one within the hours of the sending policy', async () => {
		const policy = { sendingPolicy: true, hoursBetweenTexts: 1 };
		const withText = names.filter((name) => /^sms.* (send|create|update)$/.test(name));
		expect(withText).toHaveLength(3);
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
				{ requests: 0, items: [{ sent: 'no', policyRule: 'blockedNumberTypes' }] },
				async (parameters) => await play(toPremium(parameters), policy),
			);
		}
	});

	it('sends nothing where the sending policy only simulates', async () => {
		const policy = { sendingPolicy: true, simulate: true };
		await expectOfEach(names, refused, async (parameters) => await play(parameters, policy));
	});

	it.each([
		['with a policy', { sendingPolicy: true }, { sent: 'no' }],
		['without a policy', {}, { sent: 'no', simulated: true }],
	])('reaches nobody in an evaluation, %s', async (_, policy, item) => {
		await expectOfEach(
			names,
			{ requests: 0, items: [item] },
			async (parameters) => await play(parameters, policy, { mode: 'evaluation' }),
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
