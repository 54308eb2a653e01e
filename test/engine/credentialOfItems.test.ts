import type { IDataObject } from 'n8n-workflow';
import { createCampaign, sendEach } from '../support/actions';
import { retryAction, runAction, searchList } from '../support/engine';
import { startServer, type LocalServer } from '../support/servers';
import { provideProcessedData, resetProcessedData } from '../support/deduplication';

/** What the service accepted: with which key, and whom it reached. */
let accepted: { key: string; numbers: string[] }[] = [];
/** The key with which it refuses everything. */
let refusedKey = '';
let service: LocalServer;

beforeAll(async () => {
	await provideProcessedData();
	let id = 0;
	service = await startServer(({ body, headers }, response) => {
		const key = String(headers['x-api-key']);
		const { phoneNumber, contacts } = JSON.parse(body || '{}') as {
			phoneNumber?: string;
			contacts?: { phoneNumber: string }[];
		};
		const numbers = contacts?.map((each) => each.phoneNumber) ?? [phoneNumber ?? ''];
		response.setHeader('content-type', 'application/json');
		response.statusCode = key === refusedKey ? 400 : 200;
		if (response.statusCode === 200) accepted.push({ key, numbers });
		response.end(JSON.stringify(`c56a4180-65aa-42ec-a945-${String(++id).padStart(12, '0')}`));
	});
});
beforeEach(() => {
	accepted = [];
	refusedKey = '';
	resetProcessedData();
});
afterAll(async () => service.close());

const credentialWith = (fields: IDataObject = {}) => ({
	baseUrl: service.url,
	authentication: 'header',
	headerName: 'X-Api-Key',
	headerSecret: '={{ $json.apiKey }}',
	...fields,
});
const keys = ['key-a', 'key-b', 'key-c'];
const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		apiKey: keys[row % 3] as string,
		phoneNumber: `+4477009${String(row).padStart(5, '0')}`,
	}));
const numbersWith = (rows: readonly { apiKey: string; phoneNumber: string }[], key: string) =>
	rows.filter(({ apiKey }) => apiKey === key).map(({ phoneNumber }) => phoneNumber);
const acceptedWith = (key: string) =>
	accepted.flatMap((each) => (each.key === key ? each.numbers : [])).sort();

const send = sendEach;
const create = createCampaign;

describe('each row goes out with the credential of its own item', () => {
	test.each([
		['messages', send],
		['campaigns', { ...create, options: { perCampaign: 100 } }],
		[
			'typed lists',
			{ ...create, contactsSource: 'json', contactsJson: '={{ [$json.phoneNumber] }}' },
		],
	])('%s: 300 rows of three accounts', async (_, parameters) => {
		const items = rowsOf(300);
		const { error } = await runAction({ credential: credentialWith(), parameters, items });
		expect(error).toBeUndefined();
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test.each(keys)(
		'where the campaign of %s fails, its rows say whom they are about',
		async (key) => {
			refusedKey = key;
			const items = rowsOf(4);
			const { items: output } = await runAction({
				...{ credential: credentialWith(), parameters: create, items },
				onError: 'continueRegularOutput',
			});
			const failed = output.filter(({ json }) => json.error !== undefined);
			expect(failed.map(({ json }) => json.phoneNumber)).toEqual(numbersWith(items, key));
		},
	);

	test('a text that differs within an account is told with the items of that account', async () => {
		const items = rowsOf(9).map((row, index) => ({
			...row,
			text: index === 7 ? 'Bye' : row.apiKey,
		}));
		const parameters = { ...create, message: '={{ $json.text }}' };
		const { error } = await runAction({ credential: credentialWith(), parameters, items });
		expect(error?.message).toBe('Message must be the same for all input items');
		expect(error?.description).toContain('Item 1 and item 7 have different values.');
		expect(accepted).toEqual([]);
	});

	test('also by its index', async () => {
		const items = rowsOf(12);
		const headerSecret = "={{ 'key-' + 'abc'[$itemIndex % 3] }}";
		const credential = credentialWith({ headerSecret });
		await runAction({ credential, parameters: send, items });
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test('also where the expression has a default, and only one row another key', async () => {
		for (const other of [1, 2, 5, 11]) {
			accepted = [];
			const items = rowsOf(12).map(({ phoneNumber }, row) =>
				row === other ? { phoneNumber, apiKey: 'key-b' } : { phoneNumber },
			);
			const headerSecret = "={{ $input.all()[$itemIndex]?.json.apiKey || 'key-a' }}";
			await runAction({ credential: credentialWith({ headerSecret }), parameters: send, items });
			expect(acceptedWith('key-b')).toEqual([items[other]?.phoneNumber]);
			expect(acceptedWith('key-a')).toHaveLength(11);
		}
	});

	test('also where one of thousands of rows has another key', async () => {
		const items = rowsOf(2001).map(({ phoneNumber }, row) => {
			return { phoneNumber, apiKey: row === 3 ? 'key-b' : 'key-a' };
		});
		await runAction({ credential: credentialWith(), parameters: create, items });
		expect(acceptedWith('key-b')).toEqual([items[3]?.phoneNumber]);
		expect(acceptedWith('key-a')).toHaveLength(2000);
	});

	test('a campaign of each account has the text of its own rows', async () => {
		const items = rowsOf(6);
		const parameters = { ...create, message: '={{ $json.apiKey }}' };
		const { error } = await runAction({ credential: credentialWith(), parameters, items });
		expect(error).toBeUndefined();
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test('and a blank row of one account leaves nobody of another out', async () => {
		const items = rowsOf(9).map((row, index) =>
			index === 1 ? { apiKey: '', phoneNumber: '' } : row,
		);
		const headerSecret = "={{ $json.apiKey || 'key-b' }}";
		const credential = credentialWith({ headerSecret });
		const { error } = await runAction({ credential, parameters: create, items });
		expect(error).toBeUndefined();
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test('files', async () => {
		const items = rowsOf(3);
		const files = items.map(({ phoneNumber }) => Buffer.from(`phoneNumber\n${phoneNumber}\n`));
		const parameters = { ...create, contactsSource: 'file' };
		await runAction({ credential: credentialWith(), parameters, items, files });
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test('in a loop, and with an account of an earlier batch that follows again', async () => {
		const items = rowsOf(12);
		await runAction({ credential: credentialWith(), parameters: send, items, loop: 5 });
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test("as an agent's tool", async () => {
		const items = rowsOf(2);
		const settings = { type: 'messagingServiceTool' };
		await runAction({ credential: credentialWith(), parameters: send, items, settings });
		expect(accepted.map(({ key }) => key).sort()).toEqual(['key-a', 'key-b']);
	});

	test('a retry sends the rest, with the credential of each', async () => {
		const items = rowsOf(30);
		refusedKey = 'key-b';
		const options = { credential: credentialWith(), parameters: send, items };
		const first = await runAction(options);
		expect(first.error).toBeDefined();
		refusedKey = '';
		expect((await retryAction(first.run, options)).error).toBeUndefined();
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key));
	});

	test.each([
		['sends the rest', '', []],
		['tells of each row, also of one that has another account now', '07', ['possibly']],
	])('a retry of a campaign for each account %s', async (_, moved, others) => {
		const [one, other, ...more] = rowsOf(9);
		const items = [other, one, ...more] as ReturnType<typeof rowsOf>;
		const withKey = (key: string) => credentialWith({ clientId: `={{ ${key}.charCodeAt(4) }}` });
		refusedKey = 'key-c';
		const options = { credential: withKey('$json.apiKey'), parameters: create, items };
		const first = await runAction(options);
		expect(first.error).toBeDefined();
		refusedKey = '';
		const isMoved = `'${moved}' !== '' && $json.phoneNumber.endsWith('${moved}')`;
		const retried = await retryAction(first.run, {
			...options,
			credential: withKey(`(${isMoved} ? 'key-a' : $json.apiKey)`),
			onError: 'continueErrorOutput',
		});
		for (const key of keys) expect(acceptedWith(key)).toEqual(numbersWith(items, key).sort());
		expect(retried.items.map(({ json }) => json.sent)).toEqual(['yes', 'yes', 'yes']);
		expect(retried.errorItems.map(({ json }) => json.sent)).toEqual(others);
		const told = [...retried.items, ...retried.errorItems].flatMap(({ pairedItem }) => pairedItem);
		expect(told).toHaveLength(9);
	});

	test('a retry lists a campaign once, also where other rows belong together by then', async () => {
		const items = rowsOf(12);
		refusedKey = 'key-c';
		const options = { credential: credentialWith(), parameters: create, items };
		const first = await runAction(options);
		expect(first.error).toBeDefined();
		refusedKey = '';
		const timeout = '={{ $itemIndex < 6 ? 30 : 60 }}';
		const retried = await retryAction(first.run, {
			...options,
			credential: credentialWith({ timeout }),
		});
		expect(retried.error).toBeUndefined();
		const ids = retried.items.map(({ json }) => json.id);
		expect(ids).toHaveLength(accepted.length);
		expect(new Set(ids).size).toBe(accepted.length);
	});

	test('a row that is left out is told by its own item, also in a retry', async () => {
		const [one, other] = ['+447700900001', '+447700900002'];
		const items = ['', one, other, one].map((phoneNumber, row_number) => ({
			...{ phoneNumber, row_number },
		})) as IDataObject[];
		const headerSecret = "={{ $json.row_number % 2 === 1 ? 'key-a' : 'key-b' }}";
		refusedKey = 'key-b';
		const options = {
			credential: credentialWith({ headerSecret }),
			parameters: { ...create, options: { duplicates: 'skip' } },
			items,
		};
		const first = await runAction(options);
		expect(first.error).toBeDefined();
		refusedKey = '';
		const { errorItems } = await retryAction(first.run, {
			...options,
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json, pairedItem }) => [pairedItem, json.reason])).toEqual([
			[{ item: 0 }, 'Left out: The row is blank.'],
			[{ item: 3 }, expect.stringContaining('is a duplicate of item 1')],
		]);
		expect([acceptedWith('key-a'), acceptedWith('key-b')]).toEqual([[one], [other]]);
	});

	test('and with its policy, which counts on its own', async () => {
		const items = rowsOf(30);
		const { errorItems } = await runAction({
			credential: credentialWith({
				sendingPolicy: true,
				maxRecipients: "={{ $json.apiKey === 'key-c' ? 5 : 10 }}",
			}),
			parameters: send,
			items,
			onError: 'continueErrorOutput',
		});
		expect(keys.map((key) => acceptedWith(key).length)).toEqual([10, 10, 5]);
		expect(errorItems.map(({ json }) => json.policyRule)).toEqual(
			Array.from({ length: 5 }, () => 'maxRecipients'),
		);
	});

	test.each([
		['messages', send],
		['campaigns', create],
	])('rows whose item has no key fail, and the others go out: %s', async (_, parameters) => {
		const items = rowsOf(6).map((row, index) => (index % 3 === 1 ? { ...row, apiKey: '' } : row));
		const { errorItems } = await runAction({
			credential: credentialWith(),
			parameters,
			items,
			onError: 'continueErrorOutput',
		});
		const told = { sent: 'no', error: 'The credential has no key' };
		const reason = expect.stringMatching(/^Not sent: The credential has no key/) as string;
		expect(errorItems).toMatchObject(
			[1, 4].map((item) => ({ json: { ...told, reason }, pairedItem: { item } })),
		);
		expect(accepted.flatMap(({ numbers }) => numbers)).toHaveLength(4);
	});

	test('in the order of the rows, one at a time', async () => {
		const items = rowsOf(9);
		const credential = credentialWith({ concurrentRequests: 1 });
		await runAction({ credential, parameters: send, items });
		expect(accepted.map(({ key, numbers }) => [key, ...numbers])).toEqual(
			items.map(({ apiKey, phoneNumber }) => [apiKey, phoneNumber]),
		);
	});

	test('and with its price: a dry run adds up no costs in two currencies', async () => {
		const hintOf = async (currency: string) => {
			const { hints, items } = await runAction({
				credential: credentialWith({ pricePerPart: 0.5, currency }),
				parameters: { ...send, dryRun: true },
				items: rowsOf(4),
			});
			return [hints[0], items.map(({ json }) => json.currency).join()];
		};
		const told = 'Dry run: nothing was sent. 4 of 4 rows would be sent, 4 SMS parts';
		expect(await hintOf('EUR')).toEqual([`${told}, 2 EUR.`, 'EUR,EUR,EUR,EUR']);
		expect(await hintOf("={{ $json.apiKey === 'key-b' ? 'USD' : 'EUR' }}")).toEqual([
			`${told}.`,
			'EUR,USD,EUR,EUR',
		]);
	});

	test.each(['', ' ', null, undefined])(
		'a row alone fails as well where its key is %j',
		async (apiKey) => {
			const items = rowsOf(1).map((row) => ({ ...row, apiKey }));
			const { error } = await runAction({ credential: credentialWith(), parameters: send, items });
			expect(error?.message).toBe('The credential has no key');
			expect(accepted).toEqual([]);
		},
	);

	test('where it stops on errors, nothing goes out if one item has no key', async () => {
		const items = rowsOf(6).map((row, index) => (index === 4 ? { ...row, apiKey: '' } : row));
		const { error } = await runAction({ credential: credentialWith(), parameters: send, items });
		expect(error?.message).toBe('The credential has no key');
		expect(accepted).toEqual([]);
	});
});

describe('a credential whose expressions do not depend on the items', () => {
	test('makes one campaign of all items, also where it has the time', async () => {
		const items = rowsOf(30);
		const credential = credentialWith({ headerSecret: "={{ 'key-' + $now.toMillis() }}" });
		const { error } = await runAction({ credential, parameters: create, items });
		expect(error).toBeUndefined();
		expect(accepted).toHaveLength(1);
	});

	test('is refused if it depends on the items as well as on the time', async () => {
		const headerSecret = '={{ $json.apiKey + $now.toMillis() + Math.random() }}';
		const { error } = await runAction({
			credential: credentialWith({ headerSecret }),
			parameters: send,
			items: rowsOf(3),
		});
		expect(error?.message).toBe(
			'The credential depends on the input items and changes with the time',
		);
		expect(error?.description).toContain(
			'In the expressions of the credential, use fields of the items without $now, $today or random values.',
		);
		expect(accepted).toEqual([]);
	});
});

test('lists in the editor say that there is no item for such a credential', async () => {
	const credential = credentialWith();
	await expect(searchList('searchSmsCampaigns', { credential })).rejects.toThrow(
		'This credential needs an input item',
	);
});
