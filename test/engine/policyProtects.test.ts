import { sleep, type IDataObject } from 'n8n-workflow';
import { createCampaign, sendEach } from '../support/actions';
import { runAction } from '../support/engine';
import { respond } from '../support/everyOperation';
import { startServer, type LocalServer } from '../support/servers';

/** Rules of the credential's sending policy that protect people in every workflow. */

const BLOCKED = '+447700900001';
const FREE = '+447700900002';

let service: LocalServer;
let stored: IDataObject[] | undefined;
let contacts: IDataObject[] | undefined;
/** When the campaign of the service starts. */
let startDateTime: string;
let clients = 1000;
/** Whether the service wants the first message again. */
let isBusy = false;
/** Is called by the first message that the service gets. */
let onFirstMessage: (() => void) | undefined;
/** Is called when the stored numbers are read. */
let onReading: (() => void) | undefined;
/** What the first reading of the stored numbers waits for. */
let held: Promise<void> | undefined;

beforeAll(async () => {
	service = await startServer((request, response) => {
		const { pathname } = new URL(request.url, 'http://service');
		response.setHeader('Content-Type', 'application/json');
		const page = (items: IDataObject[]) => ({
			...{ pageIndex: 1, totalPages: 1, totalRecords: items.length },
			items,
		});
		const [, index] = /PhoneNumberStorageItem\/\d+\/(\d+)$/.exec(pathname) ?? [];
		if (index === '1' && stored === undefined) response.statusCode = 400;
		const areContacts = /Contacts$/.test(pathname);
		if (areContacts && contacts === undefined) response.statusCode = 400;
		const list = areContacts ? contacts : index === '0' ? [] : stored;
		const isList = areContacts || index !== undefined;
		if (index === '1') onReading?.();
		if (request.method === 'POST') {
			onFirstMessage?.();
			onFirstMessage = undefined;
			if (isBusy) return void response.writeHead(429, { 'Retry-After': '1' }).end();
		}
		const record = () => (/\/c7$/.test(pathname) ? { id: 'c7', startDateTime } : respond(request));
		const end = () => response.end(JSON.stringify(isList ? page(list ?? []) : record()));
		if (index !== '1' || held === undefined) return void end();
		void held.then(end);
		held = undefined;
	});
});
afterAll(async () => {
	await service.close();
});
beforeEach(() => {
	stored = [{ storageID: 'a', number: BLOCKED, parameter2: ' Opted Out ' }];
	contacts = [{ phoneNumber: FREE }];
	startDateTime = '2098-05-14T10:00:00';
	service.received.length = 0;
	clients++;
	isBusy = false;
	minutesAhead = 0;
	onFirstMessage = undefined;
	onReading = undefined;
	held = undefined;
});
afterEach(() => {
	jest.restoreAllMocks();
});

const policy = { doNotContactParameter: 'parameter2', doNotContactValue: 'opted out' };

const send = sendEach;
const smsCreate = { ...createCampaign, contactsSource: 'inputItems' };
const voiceCreate = {
	...{ resource: 'voiceCampaign', operation: 'create', name: 'Call', callflow_Id: '1' },
	...{ defaultCli_Id: '1', startDate: '2999-01-10', startTime: '09:00', finishTime: '17:00' },
	...{ answerMachineDetected: '0', smsOnBusy: '0', phoneNumbersSource: 'inputItems' },
};
const update = {
	...{ resource: 'smsCampaign', operation: 'update', updateFields: { message: 'Hi' } },
	campaignId: { __rl: true, mode: 'id', value: 'c7' },
};

async function play(
	parameters: IDataObject,
	rules: IDataObject,
	rows = [BLOCKED, FREE],
	more: Partial<Parameters<typeof runAction>[0]> = {},
) {
	const result = await runAction({
		credential: {
			...{ baseUrl: service.url, authentication: 'none', clientId: String(clients) },
			...{ sendingPolicy: true, ...rules },
		},
		parameters,
		items: rows.map((phoneNumber) => ({ phoneNumber })),
		onError: 'continueErrorOutput',
		...more,
	});
	const posts = service.received.filter(({ method }) => method === 'POST');
	const reached = posts.flatMap(({ body }) => body.match(/\+\d{9,}/g) ?? []);
	return { ...result, posts, reached, errors: result.errorItems.map(({ json }) => json) };
}

const optOut = (number: string) => ({ storageID: number, number, parameter2: 'opted out' });

const now = Date.now.bind(Date);
let minutesAhead = 0;

/** Moves the clock, which goes on from there. */
function passMinutes(minutes: number) {
	minutesAhead += minutes;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + minutesAhead * 60_000);
}

const readings = () =>
	service.received.filter(({ url }) => /PhoneNumberStorageItem\/\d+\/1$/.test(url)).length;

describe("the credential's do-not-contact list", () => {
	it.each([
		['Send', send],
		['SMS Campaign: Create', smsCreate],
		['Voice Campaign: Create', voiceCreate],
	])('is left out by %s, and the others are reached', async (_name, parameters) => {
		const { reached, errors } = await play(parameters, policy);
		expect(reached).toEqual([FREE]);
		expect(errors).toMatchObject([{ sent: 'no', skipped: true, phoneNumber: BLOCKED }]);
	});

	it('is left out of a dry run of Send with the reason of the run, and stops no other row', async () => {
		const dry = await play({ ...send, dryRun: true }, policy);
		const { items, errors } = await play(send, policy);
		expect(items).toHaveLength(1);
		expect(dry.items.map(({ json }) => json.reason)).toEqual([errors[0]?.reason, 'Would be sent']);
		const stopping = await play({ ...send, dryRun: true }, policy, [BLOCKED, FREE], {
			onError: undefined,
		});
		expect(stopping.hints.join()).not.toContain('stop the node');
	});

	it('does not hold where the credential has no such rule', async () => {
		expect((await play(send, {})).reached).toEqual([BLOCKED, FREE]);
	});

	it('refuses the update of a campaign that has such a person, with the reason', async () => {
		contacts = [{ phoneNumber: FREE }, { phoneNumber: BLOCKED }];
		const { posts, errors } = await play(update, policy, [FREE]);
		expect(posts).toEqual([]);
		expect(errors).toMatchObject([{ policyRule: 'doNotContact', sent: 'no' }]);
	});

	it('that cannot be read lets nothing out, until it can be read', async () => {
		const before = stored;
		stored = undefined;
		const { posts, errors } = await play(send, policy);
		expect(posts).toEqual([]);
		expect(errors).toHaveLength(2);
		stored = before;
		expect((await play(send, policy)).reached).toEqual([FREE]);
	});

	describe('that cannot be read', () => {
		const many = Array.from({ length: 60 }, (_, row) => `+4477009${String(10_000 + row)}`);
		const skipStored = {
			...send,
			options: { doNotContactStored: { match: [{ parameter: 'parameter2', value: 'opted out' }] } },
		};
		const inTurn = { ...policy, concurrentRequests: 1 };
		beforeEach(() => {
			stored = undefined;
		});

		it.each([
			['for the credential', send, policy],
			['for the credential, one request at a time', send, inTurn],
			['for Skip Stored Numbers', skipStored, {}],
			['for Skip Stored Numbers, one request at a time', skipStored, { concurrentRequests: 1 }],
		])(
			'is read once for all rows of a run, whose errors say why: %s',
			async (_, parameters, rules) => {
				const { posts, errors } = await play(parameters, rules, many);
				expect(posts).toEqual([]);
				expect(errors).toHaveLength(many.length);
				// What went wrong, then why it stops the run.
				expect(errors[0]?.description).toMatch(
					/responded to GET .* with status 400.* read the list of stored numbers before/,
				);
				expect(readings()).toBe(1);
			},
		);
	});

	it('is read again by an execution that waited for one that was cancelled', async () => {
		let cancel: () => void = () => undefined;
		const reading = new Promise<void>((resolve) => (onReading = resolve));
		held = new Promise(() => undefined);
		const canceled = new Promise<void>((resolve) => (cancel = resolve));
		const first = play(send, policy, undefined, { cancel: canceled });
		await reading;
		const second = play(send, policy);
		await sleep(100);
		cancel();
		await first;
		expect((await second).reached).toEqual([FREE]);
	});

	it('lets nothing out where its records have neither number nor ID', async () => {
		stored = [{ phone: BLOCKED, parameter2: 'moved' }];
		const { posts, errors } = await play(send, policy);
		expect(posts).toEqual([]);
		const error = expect.stringContaining('a record without a number and without an ID') as string;
		expect(errors).toMatchObject([
			{ error, sent: 'no' },
			{ error, sent: 'no' },
		]);
	});

	it.each(['Opted-out', 'OPTED_OUT', '"opted out."', 'ｏｐｔｅｄ\u200b ｏｕｔ'])(
		'holds for other spellings of its value: %j',
		async (parameter2) => {
			stored = [{ storageID: 'a', number: BLOCKED, parameter2 }];
			expect((await play(send, policy)).reached).toEqual([FREE]);
		},
	);

	it.each(['not opted out', 'opted out undone', 'opted', 'out', 'opted outs'])(
		'holds for nobody whose value only has it in it, or a part of it: %j',
		async (parameter2) => {
			stored = [{ storageID: 'a', number: BLOCKED, parameter1: 'opted out', parameter2 }];
			expect((await play(send, policy)).reached).toEqual([BLOCKED, FREE]);
			const match = [{ parameter: 'parameter2', value: 'opted out' }];
			service.received.length = 0;
			const option = { ...send, options: { doNotContactStored: { match } } };
			expect((await play(option, {})).reached).toEqual([BLOCKED, FREE]);
		},
	);

	it('holds for a value of signs alone, and not for those without any', async () => {
		stored = [
			{ storageID: 'a', number: BLOCKED, parameter2: ' ✗ ' },
			...['', ' ', null, '-'].map((parameter2, index) => ({
				...{ storageID: `b${index}`, number: FREE, parameter2 },
			})),
		];
		expect((await play(send, { ...policy, doNotContactValue: '✗' })).reached).toEqual([FREE]);
	});

	it('is that of the credential, also where another one of the account has another list', async () => {
		expect((await play(send, policy)).reached).toEqual([FREE]);
		stored?.push({ storageID: 'd', number: FREE, parameter2: 'moved' });
		service.received.length = 0;
		expect((await play(send, { ...policy, doNotContactValue: 'moved' })).reached).toEqual([
			BLOCKED,
		]);
	});

	it('is read in the Default Country of the credential, also beside another one of the account', async () => {
		const [FRENCH, DUTCH] = ['+33612345678', '+31612345678'];
		stored = [optOut('06 12 34 56 78')];
		for (const [defaultCountry, others] of [
			['FR', [DUTCH]],
			['NL', [FRENCH]],
			[' fr ', [DUTCH]],
		] as const) {
			service.received.length = 0;
			const { reached } = await play(send, { ...policy, defaultCountry }, [FRENCH, DUTCH]);
			expect(reached).toEqual(others);
		}
	});

	it.each([
		['again after five minutes', 5],
		['again after a day', 24 * 60],
		['again after the clock was set back', -6],
	])('is read once for all executions, and %s', async (_, minutes) => {
		for (let execution = 0; execution < 5; execution++) await play(send, policy, [FREE]);
		expect(readings()).toBe(1);
		stored?.push(optOut(FREE));
		service.received.length = 0;
		passMinutes(minutes);
		expect((await play(send, policy, [FREE])).reached).toEqual([]);
	});

	describe('while messages wait for their turn', () => {
		const LATE = '+447700900003';
		// The second one waits for the first, however long that takes.
		const slowly = { ...policy, requestsPerSecond: 2, concurrentRequests: 1 };
		const three = [FREE, LATE, '+447700900004'];

		it('is read again after five minutes: who is on it by then is left out', async () => {
			onFirstMessage = () => {
				stored?.push(optOut(LATE));
				passMinutes(5);
			};
			const { reached, errors } = await play(send, slowly, three);
			expect(reached).toEqual(three.filter((number) => number !== LATE));
			expect(errors).toMatchObject([{ sent: 'no', skipped: true, phoneNumber: LATE }]);
			expect(readings()).toBe(2);
		});

		it('is read again when the service lets a message wait', async () => {
			isBusy = true;
			onFirstMessage = () => {
				stored?.push(optOut(LATE));
				passMinutes(5);
			};
			const { posts, errors } = await play(send, policy, [LATE]);
			expect(posts).toHaveLength(1);
			expect(errors).toMatchObject([{ sent: 'no', skipped: true, phoneNumber: LATE }]);
		});

		it('lets nothing out where it cannot be read again', async () => {
			onFirstMessage = () => {
				stored = undefined;
				passMinutes(5);
			};
			const { reached, errors } = await play(send, slowly, three);
			expect(reached).toEqual([FREE]);
			expect(errors).toMatchObject([{ sent: 'no' }, { sent: 'no' }]);
		});

		it('lets nothing out where each reading takes more than five minutes', async () => {
			onFirstMessage = () => {
				onReading = () => {
					passMinutes(6);
				};
				passMinutes(5);
			};
			const { reached, errors } = await play(send, slowly, three);
			expect(reached).toEqual([FREE]);
			const error = 'The do-not-contact list was read more than five minutes ago';
			expect(errors).toMatchObject([
				{ error, sent: 'no' },
				{ error, sent: 'no' },
			]);
			expect(readings()).toBeLessThanOrEqual(5);
		});
	});
});

describe('a number without a country code', () => {
	it.each([
		['allowedCountries', 'GB'],
		['blockedNumberTypes', ['premiumRate']],
	])('is refused by %s, with what to do', async (rule, value) => {
		contacts = [{ phoneNumber: '07700 900123' }];
		const { posts, errors } = await play(update, { [rule]: value }, [FREE]);
		expect(posts).toEqual([]);
		expect(errors).toMatchObject([{ policyRule: rule, sent: 'no' }]);
		expect(errors[0]?.allowed).toMatch(/Write the number with \+ and the country code/);
	});
});

it('a campaign whose contacts cannot be read is not updated', async () => {
	contacts = undefined;
	const { posts, errors } = await play(update, { allowedCountries: 'GB' }, [FREE]);
	expect(posts).toEqual([]);
	expect(errors).toMatchObject([{ httpStatus: 400, sent: 'no' }]);
});

it.each([
	['whom', () => (contacts = [])],
	['when', () => (startDateTime = 'soon')],
])(
	'a campaign of which the service does not tell %s it reaches is not updated',
	async (_what, hide) => {
		hide();
		const { posts, errors } = await play(update, {}, [FREE]);
		expect(posts).toEqual([]);
		expect(errors).toMatchObject([{ policyRule: 'unknownRequest', sent: 'no' }]);
	},
);

it('the calling hours of a voice campaign are read by the clock of the service', async () => {
	const tokyo = { serviceConventions: true, serviceTimeZone: 'Asia/Tokyo' };
	const hours = { ...tokyo, sendingHoursIn: 'service', sendingHoursFrom: '09:00' };
	expect((await play(voiceCreate, { ...hours, sendingHoursTo: '17:00' }, [FREE])).reached).toEqual([
		FREE,
	]);
	const { errors } = await play(voiceCreate, { ...hours, sendingHoursTo: '16:59' }, [FREE]);
	expect(errors).toMatchObject([{ policyRule: 'sendingHours', sent: 'no' }]);
});

it.each<[string, IDataObject, string, boolean]>([
	['the start that it has', {}, '11:01', true],
	['the start that it has', {}, '11:00', false],
	['its new start', { startDateTime: '2098-05-14T08:30:00Z' }, '11:00', true],
])('an update is judged by %s: %j, to %s', async (_, fields, sendingHoursTo, isSent) => {
	// It starts at 11:00 in London.
	const hours = { sendingHoursFrom: fields.startDateTime ? '09:00' : '10:59', sendingHoursTo };
	const updateFields = { message: 'Hi', ...fields };
	const { posts, errors } = await play({ ...update, updateFields }, hours, [FREE]);
	expect(posts).toHaveLength(isSent ? 1 : 0);
	expect(errors.map(({ policyRule }) => policyRule)).toEqual(isSent ? [] : ['sendingHours']);
});
