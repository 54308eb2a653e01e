import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { classify } from '../../nodes/MessagingService/numbers/plans';
import { NUMBER_TYPES } from '../../nodes/MessagingService/numbers/numberTypes';
import { exampleNumbers } from '../unit/support/numberExamples';
import { findOperation } from '../../nodes/MessagingService/resources';
import { isChanging } from '../../nodes/MessagingService/resources/operation';
import { createCampaign, sendEach, sendMessage } from '../support/actions';
import { reachOfPath } from '../support/pathReach';
import { credentialFor, pairs, respond, validParameters } from '../support/everyOperation';
import { runAction } from '../support/engine';
import {
	instants,
	MINUTE,
	modelAllows,
	modelLeavesOut,
	numbers,
	policies,
	SERVICE_ZONE,
	storedPage,
	texts,
	type Case,
} from '../support/policyModel';
import { runs } from '../support/runs';
import { startServer, type LocalServer } from '../support/servers';
import { setDate } from '../support/waits';

let service: LocalServer;
/** The numbers that are stored at the service. */
let stored: readonly string[] = [];
/** Each has its own list of those who have opted out, which is read once. */
let clients = 1000;

beforeAll(async () => {
	service = await startServer((request, response) => {
		response.setHeader('Content-Type', 'application/json');
		const isStored = /PhoneNumberStorageItem\/\d+\/1$/.test(request.url);
		response.end(JSON.stringify(isStored ? storedPage(stored) : respond(request)));
	});
});
afterAll(async () => {
	await service.close();
});
afterEach(() => {
	jest.useRealTimers();
	stored = [];
});

const send = sendMessage;
const create = createCampaign;

/** Runs an operation under a policy; POSTs that the service got, and the items of both outputs. */
async function play(parameters: IDataObject, policy: IDataObject, items: IDataObject[] = [{}]) {
	service.received.length = 0;
	const { items: succeeded, errorItems } = await runAction({
		credential: {
			...{ baseUrl: service.url, authentication: 'none', clientId: '1001' },
			...{ sendingPolicy: true, serviceConventions: true, serviceTimeZone: SERVICE_ZONE },
			...policy,
		},
		parameters,
		items,
		onError: 'continueErrorOutput',
	});
	const sent = service.received
		.filter(({ method }) => method === 'POST')
		.map(({ url, body }) => ({ url, body, numbers: body.match(/\+\d+/g) ?? [] }));
	return { sent, succeeded, refused: errorItems.map(({ json }) => json) };
}

function credentialOf({ fields, stored: numbers }: Case): IDataObject {
	stored = numbers;
	const { sendingDays, ...others } = fields;
	return { ...others, sendingDays: sendingDays.map(String), clientId: String(clients++) };
}

const lists = fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 1, maxLength: 5 });

describe('the sending policy judges every finished request before it goes out', () => {
	it('messages reach exactly those that a slow model allows now', async () => {
		await fc.assert(
			fc.asyncProperty(policies, lists, instants, texts, async (each, list, instant, message) => {
				setDate(instant);
				const { sent, refused } = await play(
					{ ...send, message, phoneNumber: '={{ $json.phoneNumber }}' },
					credentialOf(each),
					list.map((phoneNumber) => ({ phoneNumber })),
				);
				const allowed = list.filter((number) => modelAllows(each, number, instant, message));
				expect(sent.flatMap((request) => request.numbers).sort()).toEqual(allowed.sort());
				for (const item of refused) {
					expect(item).toMatchObject({ sent: 'no' });
					const isLeftOut = modelLeavesOut(each, String(item.phoneNumber));
					if (!isLeftOut) expect(item).toMatchObject({ policyRule: expect.any(String) as string });
				}
			}),
			{ numRuns: runs(40) },
		);
	}, 120_000);

	it('a list reaches all who are not on the do-not-contact list, or nobody where the model refuses one of them, also if it is divided', async () => {
		await fc.assert(
			fc.asyncProperty(
				policies,
				lists,
				instants,
				fc.integer({ min: 1, max: 3 }),
				async (each, list, instant, perCampaign) => {
					setDate(instant);
					const { sent, refused } = await play(
						{ ...create, options: { perCampaign } },
						credentialOf(each),
						list.map((phoneNumber) => ({ phoneNumber })),
					);
					const others = list.filter((number) => !modelLeavesOut(each, number));
					const isAllowed = others.every((number) => modelAllows(each, number, instant));
					const reached = isAllowed ? others : [];
					expect(sent.flatMap((request) => request.numbers).sort()).toEqual([...reached].sort());
					expect(refused).toHaveLength(list.length - reached.length);
				},
			),
			{ numRuns: runs(40) },
		);
	}, 120_000);
});

describe('the sending hours', () => {
	const hours = { serviceTimeZone: 'UTC', sendingHoursFrom: '09:00', sendingHoursTo: '20:00' };
	const daily = { ...hours, sendingHoursIn: 'service' };

	it.each([
		['at night', '20:30', '19:45', false],
		['by day', '09:20', '08:40', true],
		['on a later day', '11:00', '2098-05-15T22:00', false],
	])(
		'a campaign goes out when it starts, or now if that is past: %s',
		async (_, now, start, isSent) => {
			setDate(Date.parse(`2098-05-14T${now}Z`));
			const startDateTime = `${start.includes('T') ? start : `2098-05-14T${start}`}:00Z`;
			const create = { ...createCampaign, startDateTime };
			const { sent, refused } = await play(create, daily, [{ phoneNumber: '+447400123456' }]);
			expect(sent).toHaveLength(isSent ? 1 : 0);
			expect(refused.map(({ policyRule }) => policyRule)).toEqual(isSent ? [] : ['sendingHours']);
		},
	);

	it.each([
		['lets a message wait', {}],
		[
			'gives a token',
			{ authentication: 'accessToken', tokenUrl: '/', loginWith: 'json', loginJson: '{}' },
		],
	])('end while the service %s: it is not sent', async (_, authentication) => {
		const clock = Date.now.bind(Date);
		let ahead = Date.parse('2098-05-14T19:50Z') - clock();
		const now = jest.spyOn(Date, 'now').mockImplementation(() => clock() + ahead);
		const busy = await startServer(({ url }, response) => {
			ahead += 15 * MINUTE;
			if (url === '/') return void response.end('{"access_token":"token-4711"}');
			response.writeHead(429, { 'Retry-After': '1' }).end();
		});
		const { refused } = await play(
			{ ...send, phoneNumber: '+447400123456' },
			{ ...daily, ...authentication, baseUrl: busy.url, clientId: String(clients++) },
		);
		now.mockRestore();
		await busy.close();
		expect(refused).toMatchObject([{ policyRule: 'sendingHours', sent: 'no' }]);
		expect(busy.received).toHaveLength(1);
	});
});

describe('what the sending policy does not know, it refuses', () => {
	it.each(pairs.map((pair) => [`${pair.resource} ${pair.operation}`, pair] as const))(
		'%s reaches whom it declares to reach, by the paths of its requests',
		async (_, pair) => {
			const { sent } = await play(validParameters(pair), {
				sendingPolicy: false,
				...credentialFor(pair),
			});
			const operation = findOperation(pair.resource, pair.operation);
			const declared = operation !== undefined && isChanging(operation) ? [operation.reaches] : [];
			const kinds = sent.map(({ url, body }) =>
				reachOfPath(new URL(url, service.url).pathname, body !== ''),
			);
			// The payload of an undocumented endpoint makes nothing known about it.
			const isUndescribed = pair.operation === 'postById';
			expect(isUndescribed ? kinds.map(() => 'unknown') : kinds).toEqual(declared);
		},
	);
});

test('rows beyond Max Recipients are said to need a new execution, for a retry continues the count', async () => {
	const { error } = await runAction({
		credential: {
			...{ baseUrl: service.url, authentication: 'none', clientId: '1001' },
			...{ sendingPolicy: true, maxRecipients: 2, concurrentRequests: 1 },
		},
		parameters: {
			...sendEach,
		},
		items: numbers.slice(0, 4).map((phoneNumber) => ({ phoneNumber })),
	});
	expect(error?.description).toContain('2 are counted already, and this would reach 1 more.');
	expect(error?.description).toContain('2 for this node in one execution, 0 of them left.');
	expect(error?.description).toContain('Sent: items 0 to 1');
	expect(error?.description).toContain('start a new execution with these items alone');
	expect(error?.description).not.toContain('use Retry');
});

test('a number of no country, such as an international freephone, is of no allowed country', async () => {
	const send = { ...sendMessage, phoneNumber: '+80012345678' };
	expect((await play(send, {})).sent).toHaveLength(1);
	const { sent, refused } = await play(send, { allowedCountries: 'GB' });
	expect(sent).toEqual([]);
	expect(refused).toMatchObject([{ policyRule: 'allowedCountries', sent: 'no' }]);
});

describe('each type of number can be blocked', () => {
	// One example of each: what tells the types apart comes from elsewhere.
	const byType = new Map(
		exampleNumbers(1).flatMap(({ callingCode, national }) => {
			const number = `+${callingCode}${national}`;
			const type = classify(number).type;
			return type === 'unknown' ? [] : [[type as string, number] as const];
		}),
	).set('satellite', '+881612345678');
	const types = [...NUMBER_TYPES, 'satellite'];

	test('there is an example of each type', () => {
		expect([...byType.keys(), 'unknown'].sort()).toEqual([...types].sort());
	});

	test.each([...byType])('%s', async (type, phoneNumber) => {
		const others = types.filter((other) => other !== type);
		const playWith = async (blockedNumberTypes: string[]) =>
			await play({ ...send, phoneNumber }, { blockedNumberTypes });
		expect((await playWith([type])).sent).toEqual([]);
		// A satellite number is a mobile number as well.
		const free = type === 'satellite' ? others.filter((other) => other !== 'mobile') : others;
		expect((await playWith(free)).sent).toHaveLength(1);
	});
});
