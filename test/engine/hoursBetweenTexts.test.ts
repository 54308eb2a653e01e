import { map } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../../nodes/MessagingService/failure';
import { create as smsCampaignCreate } from '../../nodes/MessagingService/resources/smsCampaign/create';
import { createCampaign, sendEach } from '../support/actions';
import { retryAction, runAction } from '../support/engine';
import { provideProcessedData, resetProcessedData } from '../support/deduplication';
import { startServer, type LocalServer, type ReceivedRequest } from '../support/servers';

/** Hours Between Texts in n8n's engine, with the list of messages of a service as judge. */

const ADA = '+447400123451';
const BEN = '+447400123452';
const CYD = '+447400123453';
const DAN = '+447400123454';

interface Message extends IDataObject {
	id: number;
	phoneNumber: string;
	status: number;
	dateCreated: string;
}

let service: LocalServer;
let messages: Message[] = [];
let clients = 5000;
/** What the service does before it takes a POST; true: it loses the connection after that. */
let onPost: (request: ReceivedRequest) => boolean | 'refused' | undefined = () => undefined;
/** Whether the list of messages can be read. */
let isReadable = true;

const GUID = 'c56a4180-65aa-42ec-a945-';
const now = Date.now.bind(Date);
let ahead = 0;

/** Moves the clock of n8n and of the service. */
function pass(seconds: number) {
	ahead += seconds * 1000;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
}

function list(phoneNumber: string, more: Partial<Message> = {}): string {
	const id = messages.length + 1;
	const newId = `${GUID}${String(id).padStart(12, '0')}`;
	const dateCreated = new Date(Date.now()).toISOString().slice(0, 19);
	messages.unshift({ id, newId, phoneNumber, status: 2, dateCreated, campaignId: null, ...more });
	return newId;
}

function take({ body, url }: ReceivedRequest): string {
	const { phoneNumber, contacts } = JSON.parse(body) as {
		phoneNumber?: string;
		contacts?: { phoneNumber: string }[];
	};
	if (phoneNumber !== undefined) return list(phoneNumber);
	const campaignId = `c${String(messages.length)}${url.length}`;
	for (const each of contacts ?? []) list(each.phoneNumber, { campaignId });
	return campaignId;
}

const isOf =
	(campaign: string) =>
	({ campaignId }: Message): boolean =>
		campaignId === campaign;

beforeAll(async () => {
	await provideProcessedData();
	service = await startServer((request, response) => {
		response.setHeader('Content-Type', 'application/json');
		if (request.method === 'POST') {
			const outcome = onPost(request);
			if (outcome === 'refused') return void response.writeHead(400).end('{}');
			const id = take(request);
			if (outcome === true) return void response.destroy();
			return void response.end(JSON.stringify(id));
		}
		if (!isReadable) return void response.writeHead(403).end('{"message":"Forbidden"}');
		const { searchParams, pathname } = new URL(request.url, 'http://service');
		const [, campaign] = /^\/api\/Campaigns\/(.+)\/Contacts$/.exec(pathname) ?? [];
		const items = campaign === undefined ? messages : messages.filter(isOf(campaign));
		const [size, index] = ['pageSize', 'pageIndex'].map((name) => Number(searchParams.get(name)));
		const first = (Math.max(1, index ?? 1) - 1) * (size ?? 1);
		const envelope = {
			...{ pageIndex: Math.max(1, index ?? 1), totalRecords: items.length },
			totalPages: Math.max(1, Math.ceil(items.length / (size ?? 1))),
			items: items.slice(first, first + (size ?? 1)),
		};
		response.end(JSON.stringify(envelope));
	});
});
afterAll(async () => {
	await service.close();
});
beforeEach(() => {
	resetProcessedData();
	messages = [];
	service.received.length = 0;
	clients++;
	ahead = 0;
	isReadable = true;
	onPost = () => undefined;
});
afterEach(() => {
	jest.restoreAllMocks();
});

const send = sendEach;
const create = createCampaign;

type Options = Partial<Parameters<typeof runAction>[0]>;

const settingsOf = (
	parameters: IDataObject,
	numbers: readonly string[],
	options: Options = {},
) => ({
	parameters,
	items: numbers.map((phoneNumber) => ({ phoneNumber })),
	onError: 'continueErrorOutput' as const,
	...options,
	credential: {
		...{ baseUrl: service.url, authentication: 'none', clientId: String(clients) },
		...{ serviceConventions: true, serviceTimeZone: 'UTC' },
		...{ sendingPolicy: true, hoursBetweenTexts: 20, concurrentRequests: 1 },
		...options.credential,
	},
});

async function play(parameters: IDataObject, numbers: readonly string[], options: Options = {}) {
	messagesBefore = messages.length;
	const result = await runAction(settingsOf(parameters, numbers, options));
	return described(result);
}

let messagesBefore = 0;

function described(result: Awaited<ReturnType<typeof runAction>>) {
	return {
		...result,
		/** Whom the service was made to text by this run. */
		texted: messages
			.slice(0, messages.length - messagesBefore)
			.map(({ phoneNumber }) => phoneNumber)
			.reverse(),
		items: result.items.map(({ json }) => json),
		errorItems: result.errorItems.map(({ json }) => json),
	};
}

const leftOut = (phoneNumber: string) => ({
	phoneNumber,
	error: 'The phone number has another text within 20 hours',
	sent: 'no',
	skipped: true,
	nextAllowedTime: expect.stringMatching(/Z$/) as string,
});

describe('a text within the hours', () => {
	it.each([
		['by Send', send],
		['by a campaign', create],
	])(
		'keeps its person out of what is sent %s, and the others get theirs',
		async (_, parameters) => {
			list(BEN);
			const { texted, errorItems, items, hints } = await play(parameters, [ADA, BEN, CYD]);
			expect(texted).toEqual([ADA, CYD]);
			expect(errorItems).toMatchObject([leftOut(BEN)]);
			expect(items[0]).toMatchObject({ sent: 'yes' });
			expect(hints).toEqual(['Left out 1 of 3 rows: 1 with another text within the hours.']);
		},
	);

	it.each([
		['Send, then Send', send, send],
		['Send, then a campaign', send, create],
		['a campaign, then Send', create, send],
		['a campaign, then a campaign', create, create],
	])('is one that another workflow has just sent: %s', async (_, first, second) => {
		expect((await play(first, [ADA, BEN])).texted).toEqual([ADA, BEN]);
		expect((await play(second, [BEN, CYD])).texted).toEqual([CYD]);
		expect((await play(second, [CYD, ADA])).texted).toEqual([]);
	});

	it('is one of another row of the same run', async () => {
		const { texted, errorItems } = await play(send, [ADA, BEN, ADA]);
		expect(texted).toEqual([ADA, BEN]);
		expect(errorItems).toMatchObject([leftOut(ADA)]);
	});

	it('is one of the same list, also where Duplicates are sent, divided or not', async () => {
		for (const options of [{ duplicates: 'send' }, { duplicates: 'send', perCampaign: 1 }]) {
			clients++;
			messages = [];
			const { texted, errorItems } = await play({ ...create, options }, [ADA, BEN, ADA]);
			expect(texted).toEqual([ADA, BEN]);
			expect(errorItems).toMatchObject([leftOut(ADA)]);
		}
	});

	it('keeps a typed list from reaching its person, and the item lists who was left out', async () => {
		list(BEN);
		const typed = { ...create, contactsSource: 'json', contactsJson: [ADA, BEN] };
		const { texted, items } = await play(typed, ['']);
		expect(texted).toEqual([ADA]);
		expect(items).toMatchObject([{ recipients: 1, sent: 'yes' }]);
		expect(JSON.stringify(items)).toContain('has another text within 20 hours');
	});

	it('keeps its person out of a file, which counts it', async () => {
		list(BEN);
		const { texted, items } = await play(
			{ ...create, contactsSource: 'file', phoneNumberField: 'phone' },
			[''],
			{ files: [Buffer.from(`phone\n${ADA}\n${BEN}\n`)] },
		);
		expect(texted).toEqual([ADA]);
		expect(JSON.stringify(items)).toContain('"hoursBetweenTexts":1');
	});

	it('is none that the service has refused: it counts neither for the person nor for Max Recipients', async () => {
		const outcomes = ['refused' as const];
		onPost = () => outcomes.pop();
		const credential = { maxRecipients: 2 };
		const { texted, items } = await play(send, [ADA, ADA, BEN], { credential });
		expect(texted).toEqual([ADA, BEN]);
		expect(items).toHaveLength(2);
	});

	it('of an agent keeps it from texting the same person something else', async () => {
		const settings = { type: 'messagingServiceTool' };
		await play(send, [ADA], { settings });
		const { items, errorItems, texted } = await play({ ...send, message: 'Hello' }, [ADA], {
			settings,
		});
		expect(texted).toEqual([]);
		expect(JSON.stringify([items, errorItems])).toContain('has another text within 20 hours');
	});

	it('does not count for Max Recipients', async () => {
		list(ADA);
		list(BEN);
		const credential = { maxRecipients: 1 };
		expect((await play(create, [ADA, BEN, CYD], { credential })).texted).toEqual([CYD]);
		expect((await play(send, [ADA, BEN, CYD, DAN], { credential })).texted).toEqual([DAN]);
	});
});

describe('who is texted between plan and turn', () => {
	const divided = { ...create, options: { perCampaign: 3 } };

	/** With the first campaign, somebody else texts people of the second. */
	const texting = (...people: string[]) => {
		onPost = () => {
			onPost = () => undefined;
			for (const person of people) list(person);
			pass(40);
			return undefined;
		};
	};
	const six = [1, 2, 3, 4, 5, 6].map((digit) => `+44740012346${digit}`);

	it('cannot be told once the list fails: the error says what was sent until then', async () => {
		onPost = () => {
			isReadable = false;
			pass(40);
			return undefined;
		};
		const { error, texted } = await play(send, [ADA, BEN, CYD], { onError: 'stopWorkflow' });
		expect(texted).toEqual([ADA]);
		expect(error?.description).toMatch(/Sent: item 0.*Not sent: items 1 to 2/);
	});

	it('is taken out, and the campaign goes', async () => {
		const [, , , fourth = '', fifth = '', sixth = ''] = six;
		texting(fifth);
		const { errorItems, items, hints } = await play(divided, six);
		expect(hints).toEqual(['Left out 1 of 6 rows: 1 with another text within the hours.']);
		const contacts = service.received.filter(({ method }) => method === 'POST').at(-1)?.body ?? '';
		expect(contacts).toContain(fourth);
		expect(contacts).toContain(sixth);
		expect(contacts).not.toContain(fifth);
		expect(errorItems).toMatchObject([leftOut(fifth)]);
		expect(items).toMatchObject([{ recipients: 3 }, { recipients: 2 }]);
	});

	it('is no item of the campaign that goes without them', async () => {
		texting(six[4] as string);
		const { run } = await play(divided, six, { onError: 'continueRegularOutput' });
		const output = run.data.resultData.runData['Messaging Service']?.[0]?.data?.main?.[0];
		expect(output?.map(({ pairedItem }) => map([pairedItem].flat(), 'item'))).toEqual([
			[0, 1, 2],
			[3, 5],
		]);
	});

	it('does not hide that other campaigns were created, where its own cannot be made again', async () => {
		texting(six[4] as string);
		const { request } = smsCampaignCreate;
		jest.spyOn(smsCampaignCreate, 'request').mockImplementation((input) => {
			if (input.block?.recipients.length === 2)
				throw Failure.ofField('Message', 'is empty', 'Enter a text.');
			return request(input);
		});
		const { errorItems, items } = await play(divided, six);
		expect(items).toMatchObject([{ recipients: 3, sent: 'yes' }]);
		expect(errorItems).toMatchObject(
			six.slice(3).map((phoneNumber) => ({ phoneNumber, sent: 'no' })),
		);
	});

	it('may be everybody of a campaign: then it is not created, and each row says why', async () => {
		texting(...six.slice(3));
		const { errorItems, items, run } = await play(divided, six);
		expect(errorItems).toMatchObject(six.slice(3).map(leftOut));
		expect(items).toMatchObject([{ recipients: 3 }]);
		expect(run.data.resultData.error).toBeUndefined();
	});

	it('is taken out of a typed list and of a file as well', async () => {
		const [, , , , fifth = '', sixth = ''] = six;
		const files = [Buffer.from(`phone\n${six.join('\n')}\n`)];
		for (const [parameters, counted] of [
			[{ ...divided, contactsSource: 'json', contactsJson: six }, { skippedCount: 2 }],
			[
				{ ...divided, contactsSource: 'file', phoneNumberField: 'phone' },
				{ file: { leftOut: { hoursBetweenTexts: 2 } } },
			],
		] as const) {
			clients++;
			messages = [];
			texting(fifth, sixth);
			const { items, texted, hints } = await play(parameters, [''], { files });
			expect(hints).toEqual(['Left out 2 of 6 rows: 2 with another text within the hours.']);
			expect([...texted].sort()).toEqual(six);
			expect(items).toMatchObject([{ recipients: 3, ...counted }, { recipients: 1 }]);
		}
	});

	it('is not among the entries that an error names as not sent', async () => {
		const [, , , fourth = '', fifth = '', sixth = ''] = six;
		const typed = { ...divided, contactsSource: 'json', contactsJson: six };
		for (const [people, outcome, told] of [
			[[fifth], 'refused', 'Sent in part. Not sent: entries 4, 6 of the list. To send only'],
			[[fifth], true, 'Possibly sent: entries 4, 6 of the list. Check in the service'],
			[[fourth, fifth, sixth], true, undefined],
		] as const) {
			clients++;
			messages = [];
			texting(...people);
			const first = onPost;
			onPost = (request) => {
				first(request);
				onPost = () => outcome;
				return undefined;
			};
			const { error } = await play(typed, [''], { onError: 'stopWorkflow' });
			if (told === undefined) expect(error).toBeUndefined();
			else expect(error?.description).toContain(told);
			if (outcome === true) expect(String(error?.description)).not.toContain('use Retry');
		}
	});

	it('may be everybody of a list: then the list says so, and no campaign is created', async () => {
		texting(BEN);
		const parameters = {
			...create,
			contactsSource: 'json',
			contactsJson: '={{ [$json.phoneNumber] }}',
		};
		const { errorItems, items } = await play(parameters, [ADA, BEN]);
		expect(items).toMatchObject([{ recipients: 1 }]);
		const reason = 'Left out: None of 1 is left to send to.';
		const nextAllowedTime = expect.stringMatching(/^\d{4}-.*Z$/);
		expect(errorItems).toMatchObject([{ sent: 'no', skipped: true, reason, nextAllowedTime }]);
	});
});

describe('a later try of an execution', () => {
	it.each([
		['Send', send],
		['a campaign', { ...create, options: { perCampaign: 1 } }],
	])(
		'leaves out nobody whom %s has reached before, and reaches the others',
		async (_, parameters) => {
			let posts = 0;
			onPost = () => ++posts === 2;
			const settings = { onError: 'stopWorkflow' as const };
			const first = await play(parameters, [ADA, BEN, CYD], settings);
			expect(first.error).toBeDefined();
			pass(40);
			onPost = () => undefined;
			const retried = described(
				await retryAction(first.run, settingsOf(parameters, [ADA, BEN, CYD], {})),
			);
			expect(messages.map(({ phoneNumber }) => phoneNumber).sort()).toEqual([ADA, BEN, CYD]);
			expect(JSON.stringify([retried.items, retried.errorItems])).not.toContain('another text');
			expect(retried.errorItems).toMatchObject([{ sent: 'possibly' }]);
		},
	);

	it.each([
		['json', 3],
		['file', 4],
		['inputItems', 3],
		['inputItems', 5],
	])(
		'looks again at who was taken out when the turn of a campaign came: %s, person %i',
		async (contactsSource, place) => {
			const people = Array.from({ length: 9 }, (_, index) => `+44740012346${String(index)}`);
			const taken = people[place] as string;
			const files = [Buffer.from(`phone\n${people.join('\n')}\n`)];
			const isOfItems = contactsSource === 'inputItems';
			const rows = isOfItems ? people : [''];
			const phoneNumberField = isOfItems ? 'phoneNumber' : 'phone';
			const parameters = {
				...{ ...create, contactsSource, contactsJson: people, phoneNumberField },
				options: { perCampaign: 3 },
			};
			let posts = 0;
			onPost = () => {
				if (++posts === 1) list(taken);
				pass(40);
				return posts === 3;
			};
			const options = { files, onError: 'stopWorkflow' as const };
			const first = await play(parameters, rows, options);
			expect(first.error).toBeDefined();
			const times = () => messages.filter(({ phoneNumber }) => phoneNumber === taken).length;
			expect(times()).toBe(1);
			messages.forEach((each) => {
				if (each.phoneNumber === taken) each.status = 3;
			});
			pass(40);
			onPost = () => undefined;
			const retried = await retryAction(first.run, settingsOf(parameters, rows, { files }));
			expect(times()).toBe(2);
			expect(messages).toHaveLength(10);
			if (!isOfItems) return;
			const { items, errorItems } = described(retried);
			expect(items.map(({ reason }) => reason).sort()).toEqual([
				'Accepted by the service',
				...Array<string>(2).fill('Accepted by the service in an earlier try'),
			]);
			expect(errorItems).toMatchObject(Array(3).fill({ sent: 'possibly' }));
		},
	);

	it('says again who was left out of a list that was sent before', async () => {
		list(BEN);
		const parameters = {
			...{ ...create, contactsSource: 'json' },
			contactsJson: `={{ [$json.phoneNumber, '${BEN}'] }}`,
		};
		let posts = 0;
		onPost = () => ++posts === 2;
		const first = await play(parameters, [ADA, CYD], { onError: 'stopWorkflow' as const });
		expect(first.error).toBeDefined();
		const retried = await retryAction(first.run, settingsOf(parameters, [ADA, CYD], {}));
		expect(retried.items.map(({ json }) => json)).toMatchObject([
			{ recipients: 1, sent: 'yes', skippedCount: 1, skipped: [{ phoneNumber: BEN }] },
		]);
	});

	it('that is a new execution leaves out whoever was possibly sent to and is listed', async () => {
		onPost = () => true;
		const { errorItems } = await play(send, [ADA]);
		expect(errorItems).toMatchObject([{ sent: 'possibly' }]);
		onPost = () => undefined;
		pass(15 * 60);
		expect((await play(send, [ADA, BEN])).texted).toEqual([BEN]);
	});
});

describe('a dry run', () => {
	it('says who would be left out, also for an earlier row, and notes nothing', async () => {
		list(BEN);
		const { items, texted } = await play({ ...send, dryRun: true }, [ADA, BEN, ADA]);
		expect(texted).toEqual([]);
		expect(items.map(({ wouldSend }) => wouldSend)).toEqual([true, false, false]);
		expect(items[1]?.reason).toBe('Left out: The phone number has another text within 20 hours.');
		const planned = await play({ ...create, dryRun: true }, [ADA, BEN]);
		expect(planned.items).toMatchObject([{ wouldSend: true, recipients: 1 }]);
		expect((await play(send, [ADA])).texted).toEqual([ADA]);
	});

	const lists = [[ADA, '+33612345678'], [ADA]];
	const fileOf = (people: readonly string[]) => Buffer.from(['phoneNumber', ...people].join('\n'));
	const typed = { contactsSource: 'json', contactsJson: '={{ $json.people }}' };
	it.each<[string, IDataObject, IDataObject, number]>([
		['lists, for its country', typed, { allowedCountries: 'GB' }, 1],
		['files, for its country', { contactsSource: 'file' }, { allowedCountries: 'GB' }, 1],
		['lists, for its size', typed, { maxRecipients: 2 }, 2],
		['files, for its size', { contactsSource: 'file' }, { maxRecipients: 2 }, 1],
	])(
		'of two %s: one that is refused keeps nobody out of the next one',
		async (_, source, policy, perCampaign) => {
			const people = lists.map((each, index) =>
				'maxRecipients' in policy && index === 0 ? [...each, CYD] : each,
			);
			const parameters = { ...create, ...source, options: { perCampaign } };
			const options: Options = {
				items: people.map((each) => ({ people: each })),
				files: people.map(fileOf),
				onError: 'continueRegularOutput',
				credential: policy as never,
			};
			const dry = await play({ ...parameters, dryRun: true }, [], options);
			expect(dry.items.map(({ wouldSend, recipients }) => [wouldSend, recipients])).toEqual([
				[false, people[0]?.length],
				[true, 1],
			]);
			const real = await play(parameters, [], options);
			expect(real.texted).toEqual([ADA]);
		},
	);

	it.each<[string, IDataObject]>([
		['lists', typed],
		['files', { contactsSource: 'file' }],
	])('of several %s: people of one keep only themselves out of the next', async (_, source) => {
		for (const { perCampaign, people, would } of [
			{
				perCampaign: 1,
				people: [
					[ADA, BEN],
					[ADA, CYD],
				],
				would: [true, true],
			},
			{
				perCampaign: 1,
				people: [
					[ADA, BEN],
					[ADA, BEN],
				],
				would: [true, false],
			},
			{ perCampaign: 2, people: [[ADA], [ADA, CYD], [CYD]], would: [true, true, false] },
		]) {
			clients++;
			messages = [];
			const parameters = { ...create, ...source, options: { perCampaign } };
			const options: Options = {
				items: people.map((each) => ({ people: each })),
				files: people.map(fileOf),
				onError: 'continueRegularOutput',
			};
			const dry = await play({ ...parameters, dryRun: true }, [], options);
			const { texted } = await play(parameters, [], options);
			expect(texted).toEqual([...new Set(people.flat())]);
			expect(dry.items.map(({ wouldSend }) => wouldSend)).toEqual(would);
		}
	});
});

describe('a list that cannot be read', () => {
	it.each([
		['Send', send],
		['a campaign', create],
	])(
		'lets nothing out of %s, is read once, and the error says what to do',
		async (_, parameters) => {
			isReadable = false;
			const { errorItems, texted } = await play(parameters, [ADA, BEN, CYD]);
			expect(texted).toEqual([]);
			expect(errorItems).toHaveLength(3);
			for (const { sent, description } of errorItems) {
				expect(sent).toBe('no');
				expect(description).toMatch(/Hours Between Texts in the credential reads the list/);
			}
			expect(service.received).toHaveLength(1);
		},
	);

	it.each([
		['0001-01-01T00:00:00', 'has an unreadable time (0001-01-01T00:00:00)'],
		['', 'has a message without dateCreated'],
	])(
		'is one with a text of which nobody knows when it was created (%j)',
		async (dateCreated, title) => {
			list(ADA, { dateCreated });
			const { errorItems, texted } = await play(send, [ADA, BEN]);
			expect(texted).toEqual([]);
			expect(errorItems).toMatchObject([{ sent: 'no' }, { sent: 'no' }]);
			expect(errorItems[0]?.error).toContain(title);
		},
	);

	it('is not read for calls, and not where the rule is off', async () => {
		isReadable = false;
		expect((await play(send, [ADA], { credential: { hoursBetweenTexts: 0 } })).texted).toEqual([
			ADA,
		]);
	});
});
