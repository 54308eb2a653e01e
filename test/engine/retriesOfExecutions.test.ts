import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { map, omit, sortBy } from 'lodash';
import type { IDataObject, IRun } from 'n8n-workflow';
import { byId } from '../support/actions';
import {
	freezeProcessedData,
	processedData,
	processedDataCalls,
	resetProcessedData,
	restoreProcessedData,
} from '../support/deduplication';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import { anyBehaviour, namesIn, rowsNamed } from '../support/modelRows';
import type { Behaviour, ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';
import { holds } from '../support/runs';
import { withSimultaneousCalls } from '../support/toolCalls';
import { shortenWaits } from '../support/waits';

const { service, credential } = modelSuite({ concurrentRequests: 1 });

// The store of these tests takes up to 2 ms for a change, and a busy machine some more.
shortenWaits(25);

/** Enough for a run that n8n must not repeat after it was killed. */
const ROWS = 12;
const all = Array.from({ length: ROWS }, (_, row) => row);
const rows = all.map((row) => ({
	row: `row ${row}`,
	phoneNumber: `+4477009000${String(row).padStart(2, '0')}`,
	name: `row ${row}`,
}));
const few = rows.slice(0, 6);
/** Two batches of twelve. */
const twoBatches = Array.from({ length: 24 }, (_, row) => ({
	row: `row ${row}`,
	phoneNumber: `+4477009000${String(row).padStart(2, '0')}`,
}));

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.row }}',
	sender: 'Shop',
	options: {},
};
const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Sale',
	sender: 'Shop',
	options: { perCampaign: 4 },
};
/** A campaign for each ten rows of a file. */
const fromFile = {
	...create,
	contactsSource: 'file',
	options: { perCampaign: 10, unusable: 'skip', duplicates: 'skip' },
};
const fileOf = (first: number, end: number) => {
	const lines = Array.from({ length: end - first }, (_, index) => {
		const row = first + index;
		return `+4477009000${String(row).padStart(2, '0')},row ${row}`;
	});
	return Buffer.from(['phoneNumber,name', ...lines].join('\n'));
};
const voice = { ...voiceParameters, operation: 'createForClient', options: {} };

type Options = Parameters<typeof runAction>[0];

const optionsOf = (parameters: object, more: Partial<Options> = {}): Options => ({
	credential,
	parameters: { ...parameters },
	items: rows,
	...more,
});
const run = async (parameters: object, more: Partial<Options> = {}) =>
	await runAction(optionsOf(parameters, more));
const retry = async (failed: IRun, parameters: object, more: Partial<Options> = {}) =>
	await retryAction(failed, optionsOf(parameters, more));

/** n8n keeps only the start data of an execution that was killed or cancelled: its retry has no more. */
const retryOfKilled = async (parameters: object, more: Partial<Options> = {}) =>
	await run(parameters, { mode: 'retry', ...more });

const rowsOf = (request: ModelRequest) =>
	namesIn(request).map((name) => Number(name.replace('row ', '')));
const acceptedRows = () => service.accepted.flatMap(rowsOf);

const rejecting = (row: number) => {
	service.decide = (request) => (rowsOf(request).includes(row) ? 'reject' : 'accept');
};
const accepting = () => {
	service.decide = () => 'accept';
};

/** The process dies when a row is about to be sent: nothing more is stored, and nothing goes out. */
async function killedAt(row: number, execution: () => Promise<EngineResult>) {
	let isDead = false;
	service.decide = (request) => {
		isDead ||= rowsOf(request).includes(row);
		if (isDead) freezeProcessedData(true);
		return isDead ? 'cutBefore' : 'accept';
	};
	await execution();
	expect(isDead).toBe(true);
	freezeProcessedData(false);
	accepting();
}

const RETRIED = /^Execution \d+ was retried before, so this retry sent nothing$/;
const INTERRUPTED = 'An earlier execution with these rows was interrupted while it sent';

/** What the message of a refused retry says about the execution to retry. */
const whichToRetry = ({ error }: EngineResult) => {
	const owner = /\d+/.exec(error?.message ?? '')?.[0] ?? '';
	return `The list of executions shows its first retry as a retry of ${owner}.`;
};

describe('each failed execution can be retried once; if the retry fails, that one is retried', () => {
	test.each([
		['messages', send],
		['campaigns', create],
		['a campaign', voice],
	])('%s', async (_, parameters) => {
		rejecting(7);
		const first = await run(parameters);
		const before = acceptedRows();
		const retried = await retry(first.run, parameters);
		expect(acceptedRows()).toEqual(before);
		accepting();
		const second = await retry(first.run, parameters);
		expect(second.error?.message).toMatch(RETRIED);
		expect(second.error?.description).toContain(whichToRetry(second));
		expect(second.error?.description).toContain('If that one succeeded, all items are handled');
		expect(acceptedRows()).toEqual(before);
		const last = await retry(retried.run, parameters);
		expect(last.error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});

	test('a retry asks the store of n8n a few times, however many messages it sends', async () => {
		const callsOf = async (count: number) => {
			resetProcessedData();
			service.reset();
			const items = Array.from({ length: count }, (_, row) => ({
				row: `row ${row}`,
				phoneNumber: `+4477009${String(row).padStart(5, '0')}`,
			}));
			rejecting(10);
			const first = await run(send, { items });
			accepting();
			const before = processedDataCalls();
			expect((await retry(first.run, send, { items })).error).toBeUndefined();
			expect(acceptedRows()).toHaveLength(count);
			return processedDataCalls() - before;
		};
		expect(await callsOf(12)).toBeLessThan(8);
		expect(await callsOf(400)).toBeLessThan(8);
	});

	test('a retry that sends nothing and fails is continued by its own retry, not by the first', async () => {
		service.decide = () => 'reject';
		const first = await run(send);
		const retried = await retry(first.run, { ...send, options: { defaultCountry: 'x' } });
		expect(retried.error?.message).toContain('Default Country');
		accepting();
		expect((await retry(first.run, send)).error?.message).toMatch(RETRIED);
		expect((await retry(retried.run, send)).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});

	test('a retry that was refused is refused again', async () => {
		rejecting(3);
		const first = await run(send);
		await retry(first.run, send);
		const refused = await retry(first.run, send);
		accepting();
		const again = await retry(refused.run, send);
		expect(again.error?.message).toBe(refused.error?.message);
		expect(acceptedRows()).toEqual([0, 1, 2]);
	});

	test('a retry that was killed lets no other one send', async () => {
		rejecting(3);
		const first = await run(send);
		await killedAt(5, async () => await retry(first.run, send));
		const accepted = acceptedRows();
		// Its own retry starts with what it was started with.
		const refused = await retry(first.run, send);
		expect(refused.error?.message).toMatch(RETRIED);
		expect(refused.error?.description).toContain('If it was killed or canceled, check');
		expect(rowsNamed(refused.error?.description, 'Sent')).toEqual([0, 1, 2]);
		expect(rowsNamed(refused.error?.description, 'Possibly sent')).toEqual(all.slice(3));
		expect(acceptedRows()).toEqual(accepted);
	});

	const entries = rows.map(({ phoneNumber, name }) => ({ phoneNumber, name }));
	test.each<[string, object, Partial<Options>, number?]>([
		['messages', send, {}],
		['one message', send, {}, 1],
		['a list of input items', create, {}],
		['a typed list', { ...create, contactsSource: 'json', contactsJson: entries }, { items: [{}] }],
		[
			'a file',
			{ ...fromFile, options: { perCampaign: 4 } },
			{ items: [{}], files: [fileOf(0, ROWS)] },
		],
	])(
		'a dry run says that it does not know what was sent, and does not count: %s',
		async (_, parameters, more, count = 4) => {
			rejecting(count);
			const first = await run(parameters, more);
			expect(acceptedRows()).toEqual(all.slice(0, count));
			const dry = await retry(first.run, { ...parameters, dryRun: true }, more);
			expect(dry.error?.message).toBe('A dry run does not know what the earlier try has sent');
			accepting();
			expect((await retry(first.run, parameters, more)).error).toBeUndefined();
			expect(acceptedRows().sort((a, b) => a - b)).toEqual(all);
		},
	);

	test('a dry run tells who would get it where nothing was sent, and does not count', async () => {
		rejecting(0);
		const parameters = { ...create, options: {} };
		const first = await run(parameters);
		const dry = await retry(first.run, { ...parameters, dryRun: true });
		expect(dry.error).toBeUndefined();
		expect(dry.items[0]?.json).toMatchObject({ recipients: ROWS });
		accepting();
		expect((await retry(first.run, parameters)).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});

	test('what only reads can be retried as often as it fails', async () => {
		service.decide = () => 'reject';
		const get = { resource: 'smsCampaign', operation: 'get', campaignId: byId('a') };
		const first = await run(get);
		const retried = [await retry(first.run, get), await retry(first.run, get)];
		expect(first.error).toBeDefined();
		expect(map(retried, 'error.message')).toEqual(Array(2).fill(first.error?.message));
	});

	test('an execution that failed before it reached the node is not known: each retry sends', async () => {
		for (const times of [1, 2]) {
			expect((await retryOfKilled(send)).error).toBeUndefined();
			expect(acceptedRows()).toHaveLength(ROWS * times);
		}
	});

	test('Retry On Fail and a loop are one retry', async () => {
		rejecting(3);
		const inLoop = { loop: 2 };
		const first = await run(send, inLoop);
		let requests = 0;
		service.decide = () => (requests++ === 3 ? 'reject' : 'accept');
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		expect((await retry(first.run, send, { ...inLoop, settings })).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
		expect((await retry(first.run, send, inLoop)).error?.message).toMatch(RETRIED);
	});

	test('simultaneous calls of a tool are one retry', async () => {
		service.decide = () => 'reject';
		const first = await run(send, { items: few });
		accepting();
		const tool = { items: few, settings: { type: 'messagingServiceTool' } };
		const { items } = await withSimultaneousCalls(async () => await retry(first.run, send, tool));
		expect(items.map(({ json }) => json.sent)).toEqual(few.map(() => 'yes'));
		expect(acceptedRows().sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('two executions can be retried in the same moment', async () => {
		rejecting(2);
		const executions = [await run(send, { items: few }), await run(send, { items: few })];
		accepting();
		freezeProcessedData(false, () => 2);
		const retried = await Promise.all(
			executions.map(async (each) => await retry(each.run, send, { items: few })),
		);
		expect(retried.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(acceptedRows().sort((a, b) => a - b)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
	});

	test('a second node that the execution did not reach sends in one retry only', async () => {
		const options = { first: { ...send, message: 'row 1' }, items: few.slice(0, 1) };
		const second = { ...send, message: 'row 0' };
		service.decide = () => 'reject';
		const first = await run(second, options);
		accepting();
		expect((await retry(first.run, second, options)).error).toBeUndefined();
		expect((await retry(first.run, second, options)).error?.message).toMatch(RETRIED);
		expect(acceptedRows()).toEqual([1, 0]);
	});

	test('a store that fails is tried again, and then nothing is sent', async () => {
		rejecting(3);
		const first = await run(send);
		accepting();
		let failures = 3;
		freezeProcessedData(false, () => {
			if (failures-- > 0) throw new Error('The database is locked');
			return 0;
		});
		expect((await retry(first.run, send)).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);

		service.reset();
		resetProcessedData();
		rejecting(3);
		const other = await run(send);
		freezeProcessedData(false, () => {
			throw new Error('The database is locked');
		});
		const refused = await retry(other.run, send);
		expect(refused.error?.message).toBe('This retry could not be reserved in the n8n database');
		expect(refused.error?.description).toContain('(The database is locked)');
		expect(acceptedRows()).toEqual([0, 1, 2]);
		// The store fails in the first try of Retry On Fail, and is back in the second.
		let calls = 0;
		freezeProcessedData(false, () => {
			if (++calls <= 5) throw new Error('The database is locked');
			return 0;
		});
		accepting();
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect((await retry(other.run, send, { settings })).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});

	test('what is wrong with a refused retry leaves open whether another one has sent', async () => {
		rejecting(3);
		const first = await run(send, { items: few });
		await retry(first.run, send, { items: few });
		for (const wrong of [
			{ options: { defaultCountry: 'x' } },
			{ message: '={{ null }}' },
			{ operation: 'gone' },
			{},
		]) {
			const onError = 'continueRegularOutput' as const;
			const { items } = await retry(first.run, { ...send, ...wrong }, { items: few, onError });
			const known = 'operation' in wrong ? 'possibly' : 'yes';
			expect(items.map(({ json }) => json.sent)).toEqual(
				few.map((_, row) => (row < 3 ? known : 'possibly')),
			);
			// Only a field of the form is one.
			const names = [undefined, 'Default Country', 'Message', 'Operation'];
			for (const { json } of items) expect(names).toContain(json.field);
		}
	});

	test.each<[string, object]>([
		['messages', send],
		['campaigns', create],
		['a campaign of calls', voice],
	])('a refused retry says of each row whom it is about and why: %s', async (_, parameters) => {
		const options = { items: few, onError: 'continueErrorOutput' as const };
		rejecting(0);
		const first = await run(parameters, { items: few });
		await retry(first.run, parameters, { items: few });
		const { items, errorItems } = await retry(first.run, parameters, options);
		const told = [...items, ...errorItems].map(({ json }) => json);
		expect(told.map(({ phoneNumber }) => phoneNumber)).toEqual(
			few.map(({ phoneNumber }) => phoneNumber),
		);
		for (const { sent, reason } of told) {
			expect(sent).toBe('possibly');
			expect(reason).toMatch(/^Possibly sent: Execution \d+ was retried before/);
		}
	});
});

describe('a retry whose items or fields differ from those of the failed execution', () => {
	/** The rows that an expression makes of the items. */
	const reaching = (order: readonly number[]) => ({
		...send,
		message: `={{ 'row ' + ${JSON.stringify(order)}[$itemIndex] }}`,
		phoneNumber: `={{ '+44770090000' + ${JSON.stringify(order)}[$itemIndex] }}`,
	});

	test.each([
		['in another order', [2, 1, 0, 3]],
		['moved', [9, 0, 1, 2]],
		['without the first', [1, 2, 3, 4]],
		['others', [6, 7, 8, 9]],
	])('sends to nobody twice, and calls nobody sent who was not: %s', async (_, order) => {
		const items = rows.slice(0, 4);
		rejecting(2);
		const first = await run(reaching([0, 1, 2, 3]), { items });
		expect(acceptedRows()).toEqual([0, 1]);
		accepting();
		const onError = 'continueRegularOutput' as const;
		const again = await retry(first.run, reaching(order), { items, onError });
		const open = order.filter((row, item) => item > 1 && row > 1);
		expect(acceptedRows()).toEqual([0, 1, ...open]);
		again.items.forEach(({ json }, item) => {
			const row = order[item] as number;
			const isKnown = row === item || (item > 1 && row > 1);
			expect(json.sent).toBe(isKnown ? 'yes' : 'possibly');
		});
	});

	test.each([
		['as they were', [0, 1, 2, 3]],
		['in another order', [2, 1, 0, 3]],
		['moved', [9, 0, 1, 2]],
	])('calls nobody sent who was not, also where the text is wrong: %s', async (_, order) => {
		const items = rows.slice(0, 4);
		rejecting(2);
		const first = await run(reaching([0, 1, 2, 3]), { items });
		accepting();
		const wrong = { ...reaching(order), message: '={{ null }}' };
		const onError = 'continueRegularOutput' as const;
		const again = await retry(first.run, wrong, { items, onError });
		expect(acceptedRows()).toEqual([0, 1]);
		expect(again.items.map(({ json }) => json.sent)).toEqual(
			order.map((row, item) => (item > 1 ? 'no' : row === item ? 'yes' : 'possibly')),
		);
	});

	test.each([
		['changed places', [1, 0, 2, 3]],
		['moved to the end', [1, 2, 3, 0]],
	])('says of each row of a list what it came to, where numbers have %s', async (_, order) => {
		const items = rows.slice(0, 4).map((row, item) => ({
			...row,
			now: rows[order[item] as number]?.phoneNumber,
		}));
		const list = { ...create, options: { perCampaign: 1 } };
		rejecting(1);
		const first = await run(list, { items });
		expect(acceptedRows()).toEqual([0]);
		accepting();
		const moved = { ...list, phoneNumberField: 'now' };
		const { items: done, errorItems } = await retry(first.run, moved, {
			...{ items, onError: 'continueErrorOutput' },
		});
		const told = [...done, ...errorItems].map(({ json, pairedItem }) => ({
			row: order[(pairedItem as { item: number }).item],
			sent: json.sent,
		}));
		// The first row has another number now, and that of the first was sent to.
		expect(sortBy(told, 'row')).toEqual(
			['possibly', 'possibly', 'yes', 'yes'].map((sent, row) => ({ row, sent })),
		);
	});

	test.each([
		['another operation', send],
		[
			'another source',
			{ ...create, contactsSource: 'json', contactsJson: '={{ [$json.phoneNumber] }}' },
		],
	])('sends nothing after a part of a list was sent: %s', async (_, other) => {
		rejecting(7);
		const first = await run(create);
		expect(acceptedRows()).toEqual([0, 1, 2, 3]);
		accepting();
		const { error } = await retry(first.run, other);
		expect(error?.message).toBe('The items differ from those of the earlier try');
		expect(error?.description).toMatch(/ Possibly sent: items 0 to .* Check in the service before/);
		expect(acceptedRows()).toEqual([0, 1, 2, 3]);
	});
});

describe('a retry of a list in three campaigns, of which the second has failed, reaches exactly the others', () => {
	const optOut = (row: number) => ({ doNotContactNumbers: rows[row]?.phoneNumber });

	test.each([
		['as it was', {}, {}, all],
		['somebody who was reached has opted out', optOut(2), {}, all],
		['somebody who was not reached has opted out', optOut(9), {}, all.filter((row) => row !== 9)],
		['the campaigns are smaller', { perCampaign: 3 }, {}, all],
		['the list is not divided', { perCampaign: undefined }, {}, all],
		['the key is replaced', {}, { authentication: 'bearer', token: 'another key' }, all],
		['the limit is another', {}, { concurrentRequests: 3 }, all],
	])('%s', async (_, options, changes, expected) => {
		rejecting(5);
		const first = await run(create);
		expect(acceptedRows()).toEqual([0, 1, 2, 3]);
		accepting();
		const { perCampaign = 4, ...others } = { ...create.options, ...options };
		const again = {
			...others,
			...('perCampaign' in options && !options.perCampaign ? {} : { perCampaign }),
		};
		const retried = await retry(
			first.run,
			{ ...create, options: again },
			{ onError: 'continueErrorOutput', credential: { ...credential, ...changes } },
		);
		expect(acceptedRows().sort((a, b) => a - b)).toEqual(expected);
		const leaving = [...retried.items, ...retried.errorItems].flatMap(({ pairedItem }) =>
			[pairedItem].flat().map((paired) => (typeof paired === 'object' ? paired.item : -1)),
		);
		expect(leaving.sort((a, b) => a - b)).toEqual(all);
		expect(retried.items.map(({ json }) => json.sent)).not.toContain('possibly');
		expect(retried.items[0]?.json).toMatchObject({
			recipients: 4,
			sent: 'yes',
			id: expect.any(String),
		});
	});

	test('duplicates are those of the whole list', async () => {
		const items = [...rows.slice(0, 6), rows[0] as IDataObject, ...rows.slice(6)];
		const options = { ...create.options, duplicates: 'skip' };
		rejecting(5);
		const first = await run({ ...create, options }, { items });
		accepting();
		const again = await retry(first.run, { ...create, options }, { items });
		expect(again.error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});

	const entries = rows.map(({ phoneNumber, name }) => ({ number: phoneNumber, name }));
	test.each<[string, object, Partial<Options>]>([
		['input items', {}, {}],
		['a typed list', { phoneNumbersSource: 'json', phoneNumbersJson: entries }, { items: [{}] }],
		['a file', { phoneNumbersSource: 'file' }, { items: [{}], files: [fileOf(0, ROWS)] }],
	])('campaigns of calls go on with their numbers: %s', async (_, source, more) => {
		const divided = { ...voice, ...source, options: { perCampaign: 4 } };
		rejecting(5);
		const first = await run(divided, more);
		accepting();
		const { items } = await retry(first.run, divided, more);
		const names = service.accepted.map(({ body }) => String(body.name));
		expect(new Set(names).size).toBe(3);
		expect(items.map(({ json }) => json.campaign).sort()).toEqual(
			service.accepted.map((_request, index) => index + 1),
		);
	});
});

describe('a retry in which all others have opted out', () => {
	const numbers = few.map(({ phoneNumber }) => phoneNumber);
	const optedOut = numbers.slice(2).join();
	const all = 'Left out 4 of 6 rows: 4 on a do-not-contact list.';
	const others = 'Left out 4 of 4 rows: 4 on a do-not-contact list.';

	test.each([
		['items', {}, { items: few }, all],
		['a list', { contactsSource: 'json', contactsJson: numbers }, { items: [{}] }, others],
		[
			'a file',
			{ contactsSource: 'file' },
			{ items: [{}], files: [Buffer.from(['phoneNumber', ...numbers].join('\n'))] },
			others,
		],
	])('succeeds with what was sent before, and says so: %s', async (_, source, more, hint) => {
		let requests = 0;
		service.decide = () => (requests++ === 0 ? 'accept' : 'reject');
		const options = { perCampaign: 2 };
		const first = await run({ ...create, ...source, options }, more);
		expect(first.error).toBeDefined();
		accepting();
		const doNotContact = { ...options, doNotContactNumbers: optedOut };
		const again = await retry(first.run, { ...create, ...source, options: doNotContact }, more);
		expect(again.error).toBeUndefined();
		expect(service.accepted).toHaveLength(1);
		expect(again.items[0]?.json).toMatchObject({ sent: 'yes', recipients: 2 });
		expect(again.hints).toEqual([hint]);
	});
});

describe('a retry of a typed list', () => {
	const typed = (entries: readonly object[], options: object = { perCampaign: 2 }) => ({
		...create,
		contactsSource: 'json',
		contactsJson: JSON.stringify(entries),
		options,
	});
	const one = { items: [{}] };
	const [a, b, c, d] = rows.map(({ phoneNumber, name }) => ({ phoneNumber, name })) as [
		Entry,
		Entry,
		Entry,
		Entry,
	];
	interface Entry {
		phoneNumber: string;
		name: string;
	}

	const failedAfterTwo = async (entries: readonly object[], options?: object) => {
		service.decide = () => (service.accepted.length > 0 ? 'reject' : 'accept');
		const first = await run(typed(entries, options), one);
		expect(acceptedRows()).toHaveLength(2);
		accepting();
		return first.run;
	};

	test.each([
		['in another order', [d, c, b, a]],
		['in other spellings', [a, { ...b, phoneNumber: '0044 7700 900001' }, c, d]],
		['with another name', [{ ...a, name: 'row 7' }, b, c, d]],
		['without somebody who was reached', [b, c, d]],
	])('reaches the others, each once: %s', async (_, entries) => {
		const first = await failedAfterTwo([a, b, c, d]);
		const { error, items } = await retry(first, typed(entries), one);
		expect(error).toBeUndefined();
		expect(acceptedRows().sort()).toEqual([0, 1, 2, 3]);
		expect(items.map(({ json }) => json.recipients)).toEqual([2, 2]);
	});

	test('that fails again says of all entries which were sent, by this try and by earlier ones', async () => {
		const first = await failedAfterTwo([a, b, c, d]);
		service.decide = () => 'reject';
		const { error } = await retry(first, typed([a, b, c, d]), one);
		expect(acceptedRows()).toEqual([0, 1]);
		expect(error?.description).toMatch(/Sent in part\. Not sent: entries 3 to 4 of the list\./);
	});

	const numbered = [a, b, c, d];
	const each = { perCampaign: 1 };
	const continued = { ...one, onError: 'continueRegularOutput' as const };
	const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const failing = (behaviours: Readonly<Record<number, Behaviour>>) => {
		service.decide = (request) => behaviours[rowsOf(request)[0] ?? -1] ?? 'accept';
	};

	test('says which entries were possibly sent by the first try', async () => {
		failing({ 1: 'failAfter' });
		const list = typed(numbered, each);
		const first = await run(list, one);
		accepting();
		const { items } = await retry(first.run, list, continued);
		expect(service.accepted).toHaveLength(4);
		const [{ json } = { json: {} as IDataObject }] = items;
		expect(json).toMatchObject({ sent: 'possibly', error: 'Possibly sent before' });
		expect(json.description).toContain(
			'Sent in part. Possibly sent: entry 2 of the list. Check in the service before sending again.',
		);
	});

	test('says of each entry what two tries came to, where the second one fails as well', async () => {
		failing({ 1: 'failAfter', 2: 'reject' });
		const settings = { ...continued, settings: retrying };
		const { items } = await run(typed(numbered, each), settings);
		expect(items[0]?.json.description).toContain(
			'Sent in part. Possibly sent: entry 2 of the list. Check in the service before sending again. Not sent: entry 3 of the list.',
		);
	});

	test('is not called sent in part where nothing of it was certainly sent', async () => {
		failing({ 0: 'failAfter' });
		const { error } = await run(typed(numbered, each), one);
		expect(error?.description).toContain('Possibly sent: entry 1 of the list.');
		expect(error?.description).toContain('Not sent: entries 2 to 4 of the list.');
		expect(error?.description).not.toContain('Sent in part');
	});

	const storedIn = { doNotContactStored: { match: [{ parameter: 'parameter1', value: 'x' }] } };
	test.each<[string, readonly object[], object]>([
		['an entry is invalid now', [a, b, { phoneNumber: 'none' }, d], each],
		['the stored numbers cannot be read', numbered, { ...each, ...storedIn }],
	])(
		'says which entries are left, also where it sends nothing: %s',
		async (_, entries, options) => {
			service.decide = () => (service.accepted.length === 2 ? 'reject' : 'accept');
			const first = await run(typed(numbered, each), one);
			const { items } = await retry(first.run, typed(entries, options), continued);
			expect(acceptedRows()).toEqual([0, 1]);
			expect(items[0]?.json.description).toContain(
				'Sent in part. Not sent: entries 3 to 4 of the list.',
			);
		},
	);

	test('says to check what was possibly sent to people who are not in it any more', async () => {
		failing({ 0: 'failAfter' });
		const first = await run(typed([a, b], each), one);
		accepting();
		const { items } = await retry(first.run, typed([c, { phoneNumber: 'none' }], each), continued);
		expect(acceptedRows()).toEqual([0]);
		expect(items[0]?.json).toMatchObject({
			sent: 'possibly',
			description: expect.stringContaining(
				'Possibly sent: entries that the list had before it was edited. Check in the service before sending again. Not sent: entries 1 to 2 of the list.',
			),
		});
	});

	test('names them beside entries that are in it and were possibly sent', async () => {
		failing({ 0: 'failAfter' });
		const first = await run(typed([a, b, c], { perCampaign: 2 }), one);
		accepting();
		const { items } = await retry(first.run, typed([d, b, c], { perCampaign: 2 }), continued);
		expect(acceptedRows().sort()).toEqual([0, 1, 2, 3]);
		expect(items[0]?.json.description).toContain(
			'Sent in part. Possibly sent: entry 2 of the list, and entries that the list had before it was edited. Check in the service before sending again.',
		);
	});

	test('says so of one of two entries of a person, of which the other one was sent', async () => {
		const options = { ...each, duplicates: 'send' };
		const again = { ...a, name: 'row 5' };
		failing({ 5: 'failAfter' });
		const first = await run(typed([a, again], options), one);
		const { items } = await retry(first.run, typed([a], options), continued);
		expect(items[0]?.json.description).toContain(
			'Sent in part. Possibly sent: entries that the list had before it was edited.',
		);
	});

	test('does not list another entry of a person who was sent to as not sent', async () => {
		const options = { ...each, duplicates: 'stop' };
		service.decide = () => (service.accepted.length === 2 ? 'reject' : 'accept');
		const first = await run(typed([a, b, c], options), one);
		const { error } = await retry(
			first.run,
			typed([a, b, c, { ...a, name: 'row 5' }], options),
			one,
		);
		expect(error?.description).toContain('entry 4, the phone number is a duplicate of entry 1');
		expect(error?.description).toContain('Sent in part. Not sent: entry 3 of the list.');
	});

	test('is what the error advises where the service refused one of its campaigns', async () => {
		service.decide = (request) => (rowsOf(request).includes(2) ? 'reject' : 'accept');
		const { error } = await run({ ...typed([a, b, c]), options: { perCampaign: 1 } }, one);
		expect(error?.description).toMatch(/Not sent: entry 3 of the list\..* Retry/);
		expect(error?.description).not.toContain('Possibly sent');
	});

	test('sends no other entry of a person of whom one was sent, and says possibly', async () => {
		const twice = { ...a, name: 'row 5' };
		const options = { perCampaign: 2, duplicates: 'send' };
		const first = await failedAfterTwo([a, b, twice, c], options);
		const { error } = await retry(first, typed([a, b, twice, c], options), one);
		expect(acceptedRows().sort()).toEqual([0, 1, 2]);
		expect(error?.message).toContain('several entries');
		expect(error?.description).toContain('Sent in part. Possibly sent: entries 1, 3 of the list.');
	});

	test('names the entries of such a person also where the service refuses another one', async () => {
		const twice = { ...a, name: 'row 5' };
		const options = { perCampaign: 2, duplicates: 'send' };
		const first = await failedAfterTwo([a, b, twice, c], options);
		service.decide = () => 'reject';
		const { error } = await retry(first, typed([a, b, twice, c], options), one);
		expect(error?.description).toMatch(
			/Possibly sent: entries 1, 3 of the list\..* Not sent: entry 4 of the list\./,
		);
	});

	test('knows that all entries of a person were sent', async () => {
		const twice = { ...a, name: 'row 5' };
		const options = { perCampaign: 2, duplicates: 'send' };
		const first = await failedAfterTwo([a, twice, b, c], options);
		const { error } = await retry(first, typed([c, twice, b, a], options), one);
		expect(error).toBeUndefined();
		expect(acceptedRows().sort()).toEqual([0, 1, 2, 5]);
	});

	test('leaves out another entry of a person who was sent to, if duplicates are skipped', async () => {
		const twice = { ...a, name: 'row 5' };
		const options = { perCampaign: 2, duplicates: 'skip' };
		const first = await failedAfterTwo([a, b, twice, c], options);
		const { error } = await retry(first, typed([a, b, twice, c], options), one);
		expect(error).toBeUndefined();
		expect(acceptedRows().sort()).toEqual([0, 1, 2]);
	});

	test('sends nothing where another country makes other people of its numbers', async () => {
		const national = ['07700 900000', '07700 900001', '07700 900002', '07700 900003'];
		const withCountry = (defaultCountry: string) => ({ perCampaign: 2, defaultCountry });
		service.decide = () => (service.accepted.length > 0 ? 'reject' : 'accept');
		const named = national.map((phoneNumber, row) => ({ phoneNumber, name: `row ${row}` }));
		const first = await run(typed(named, withCountry('GB')), one);
		accepting();
		const { error } = await retry(first.run, typed(named, withCountry('DE')), one);
		expect(error?.message).toBe('The items differ from those of the earlier try');
		expect(acceptedRows()).toEqual([0, 1]);
	});
});

test('a retry that Pause Sending stops says that another one sends the rest', async () => {
	rejecting(3);
	const first = await run(send, { items: few });
	const paused = { ...credential, sendingPolicy: true, pauseSending: true };
	const { error } = await retry(first.run, send, { items: few, credential: paused });
	expect(error?.message).toContain('paused');
	expect(error?.description).toContain('To send only what was not sent, use Retry');
});

test('what was sent to a number that an item has no more is not said to be about its new one', async () => {
	rejecting(5);
	const items = few.map((row, index) => ({ ...row, other: `+44770090010${index}` }));
	const first = await run(send, { items });
	accepting();
	const other = { ...send, phoneNumber: '={{ $json.other }}' };
	const again = await retry(first.run, other, { items, onError: 'continueErrorOutput' });
	const created = again.errorItems.flatMap(({ json }) => (json.created ?? []) as IDataObject[]);
	expect(created.length).toBeGreaterThan(2);
	for (const each of created) {
		expect(each).toMatchObject({ sent: 'yes', newId: expect.any(String) });
		expect(each).not.toHaveProperty('phoneNumber');
	}
});

test('what was sent comes out with its ID, also where no row reaches those people now', async () => {
	rejecting(5);
	const first = await run(create);
	accepting();
	const other = { ...create, phoneNumberField: 'other' };
	const items = rows.map((row, index) => ({
		...row,
		other: rows[(index + 6) % ROWS]?.phoneNumber,
	}));
	// The input items are those of the failed execution.
	const stored = first.run.data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
	stored?.forEach((item, index) => (item.json = items[index] as IDataObject));
	const again = await retry(first.run, other, { onError: 'continueErrorOutput' });
	const created = again.errorItems.flatMap(({ json }) => (json.created ?? []) as IDataObject[]);
	expect(created).toEqual([expect.objectContaining({ recipients: 4, id: expect.any(String) })]);
	const numbers = service.accepted.flatMap(({ body }) =>
		(body.contacts as IDataObject[]).map(({ phoneNumber }) => phoneNumber),
	);
	expect(new Set(numbers).size).toBe(numbers.length);
});

test('what was sent comes out as sent, also where its row would be refused now', async () => {
	rejecting(3);
	const first = await run(send, { items: few });
	accepting();
	const message = "={{ $itemIndex < 3 ? '' : $json.row }}";
	const again = await retry(first.run, { ...send, message }, { items: few });
	expect(again.error).toBeUndefined();
	expect(again.items.map(({ json }) => json.sent)).toEqual(few.map(() => 'yes'));
	expect(again.items.map(({ json }) => json.phoneNumber)).toEqual(
		few.map(({ phoneNumber }) => phoneNumber),
	);
	expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([
	['a webhook URL', 'registered', { resource: 'webhook', operation: 'set' }, 'webHookUrl'],
	[
		'the ID of a stored number',
		'stored',
		{ resource: 'phoneNumberStorage', operation: 'create', number: '+447700900123' },
		'storageID',
	],
	[
		'the ID of a campaign',
		'updated',
		{ resource: 'smsCampaign', operation: 'update', updateFields: { message: 'Sale' } },
		'campaignId',
	],
])('%s that is corrected before a retry does not count as %s', async (_, _done, fields, name) => {
	const valueFor = (text: string) => {
		const value = `={{ "https://n8n.test/${text}" + $json.row.slice(4) }}`;
		return name === 'campaignId' ? { __rl: true, mode: 'id', value } : value;
	};
	const items = few.slice(0, 2);
	service.decide = () => (service.accepted.length > 0 ? 'reject' : 'accept');
	const first = await run({ ...fields, [name]: valueFor('') }, { items });
	expect(first.error).toBeDefined();
	expect(service.accepted).toHaveLength(1);
	accepting();
	const corrected = { ...fields, [name]: valueFor('corrected') };
	const { error } = await retry(first.run, corrected, { items });
	expect(error?.message).toBe('The items differ from those of the earlier try');
	const word = fields.resource === 'smsCampaign' ? 'sent' : 'done';
	expect(rowsNamed(error?.description, `Possibly ${word}`)).toEqual([0]);
	expect(service.accepted).toHaveLength(2);
	expect(JSON.stringify(service.accepted[1])).toContain('corrected1');
});

const ofRow = '={{ "n" + $json.row.slice(4) }}';
test.each<[string, IDataObject]>([
	['a message', send],
	[
		'a stored number',
		{
			...{ resource: 'phoneNumberStorage', operation: 'create', number: '+447700900123' },
			storageID: ofRow,
		},
	],
	[
		'an updated campaign',
		{
			...{ resource: 'smsCampaign', operation: 'update', updateFields: { message: 'Sale' } },
			campaignId: { __rl: true, mode: 'id', value: ofRow },
		},
	],
])('the output of a retry says of %s what it says without one', async (_, fields) => {
	const items = few.slice(0, 2);
	const saidBy = ({ items: output }: EngineResult) =>
		output.map(({ json }) => ({
			...omit(json, ['newId', 'response', 'alreadySent']),
			...('reason' in json
				? { reason: String(json.reason).replace(' in an earlier try', '') }
				: {}),
		}));
	accepting();
	const whole = await run(fields, { items });
	const before = service.accepted.length;
	service.decide = () => (service.accepted.length > before ? 'reject' : 'accept');
	const first = await run(fields, { items });
	expect(first.error).toBeDefined();
	accepting();
	const again = await retry(first.run, fields, { items });
	expect(again.error).toBeUndefined();
	expect(service.accepted.length - before).toBe(2);
	expect(saidBy(again)).toEqual(saidBy(whole));
});

describe('what was sent comes out as sent, also where a retry stops before it sends', () => {
	const national = few.map((each) => ({
		...each,
		phoneNumber: each.phoneNumber.replace('+44', '0'),
	}));
	const british = { defaultCountry: 'GB', perCampaign: 3 };
	test.each<[string, object, object]>([
		[
			'messages in a country that does not have the numbers',
			send,
			{ options: { defaultCountry: 'US' } },
		],
		['messages in no country', send, { options: { defaultCountry: 'x' } }],
		['messages without a sender', send, { sender: '={{ "" }}' }],
		[
			'a list in a country that does not have the numbers',
			create,
			{ options: { ...british, defaultCountry: 'US' } },
		],
		['a list without a column', create, { phoneNumberField: 'gone' }],
		['a list without a text', create, { message: '={{ "" }}' }],
	])('%s', async (_, operation, changed) => {
		const parameters = { ...operation, options: british };
		service.decide = (request) => (rowsOf(request).includes(3) ? 'reject' : 'accept');
		const first = await run(parameters, { items: national });
		expect(acceptedRows()).toEqual([0, 1, 2]);
		accepting();
		const { error } = await retry(first.run, { ...parameters, ...changed }, { items: national });
		expect(acceptedRows()).toEqual([0, 1, 2]);
		expect(error?.description).not.toContain('Possibly sent');
		expect(rowsNamed(error?.description, 'Sent')).toEqual([0, 1, 2]);
		expect(rowsNamed(error?.description, 'Not sent')).toEqual([3, 4, 5]);
	});

	test('and with its ID, if the node continues on errors', async () => {
		const parameters = { ...send, options: british };
		rejecting(3);
		const first = await run(parameters, { items: national });
		accepting();
		const us = { ...send, options: { defaultCountry: 'US' } };
		const onError = 'continueErrorOutput' as const;
		const { items, errorItems } = await retry(first.run, us, { items: national, onError });
		expect(items.map(({ json }) => [json.sent, typeof json.newId, json.message])).toEqual(
			[0, 1, 2].map((row) => ['yes', 'string', `row ${row}`]),
		);
		expect(errorItems.map(({ json }) => json.sent)).toEqual(['no', 'no', 'no']);
	});
});

test('where nothing was sent, a retry may have another operation, and is continued like any other', async () => {
	rejecting(0);
	const first = await run(create);
	expect(acceptedRows()).toEqual([]);
	rejecting(3);
	const second = await retry(first.run, send);
	expect(acceptedRows()).toEqual([0, 1, 2]);
	accepting();
	expect((await retry(second.run, send)).error).toBeUndefined();
	expect(acceptedRows()).toEqual(all);
});

test('what stops the retry of a file is told, not what an earlier try has possibly sent', async () => {
	const file = { items: [{}], files: [fileOf(0, 30)] };
	service.decide = () => 'failAfter';
	const first = await run(fromFile, file);
	rejecting(15);
	const { error } = await retry(first.run, fromFile, file);
	expect(acceptedRows()).toHaveLength(10);
	expect(error?.httpCode).toBe('400');
	expect(rowsNamed(error?.description, 'Possibly sent', 'row')).toHaveLength(10);
});

test('a file that was sent in part stays open where its retry stops before it sends', async () => {
	const files = { items: [{}, {}], files: [fileOf(0, 10), fileOf(10, 30)] };
	rejecting(25);
	const first = await run(fromFile, files);
	expect(acceptedRows()).toHaveLength(20);
	const onError = 'continueRegularOutput' as const;
	const wrong = { ...fromFile, options: { ...fromFile.options, defaultCountry: 'x' } };
	const { items } = await retry(first.run, wrong, { ...files, onError });
	expect(items.map(({ json }) => json.sent)).toEqual(['possibly', 'possibly']);
	for (const { json } of items) expect(json.field).toBe('Default Country');
});

/** Phone numbers, each with another spelling. The last two are damaged, and sent anyway. */
const SPELLINGS = [
	['07700 900000', '+447700900000'],
	['0044 7700 900001', '07700 900001'],
	['+5511987654321', '+55 11 8765-4321'],
	['12 34', '1234'],
	['none', ' none '],
] as const;
const columns = ['phoneNumber', 'name'] as const;
type Cells = Record<(typeof columns)[number], string>;

test.each<[string, string, object, (cells: Cells[]) => Partial<Options>]>(
	['asEntered', 'international'].flatMap((format) => [
		[format, 'input items', {}, (cells) => ({ items: cells as unknown as IDataObject[] })],
		[
			...([format, 'a typed list'] as [string, string]),
			{ contactsSource: 'json', contactsJson: '={{ $json.cells }}' },
			(cells) => ({ items: [{ cells: cells as unknown as IDataObject[] }] }),
		],
		[
			...([format, 'a file'] as [string, string]),
			{ contactsSource: 'file' },
			(cells) => {
				const lines = cells.map((each) => columns.map((name) => each[name]).join());
				return { items: [{}], files: [Buffer.from([columns.join(), ...lines].join('\n'))] };
			},
		],
	]),
)(
	'a retry leaves out whoever was sent to, also where another row writes the number in another way: %s, %s',
	async (numberFormat, _source, fields, optionsWith) => {
		const [sent, again] = [0, 1].map((way) => SPELLINGS.map((each) => each[way] as string));
		const numbers = [...(sent ?? []), ...(again ?? []), '+447700900003'];
		const more = optionsWith(
			numbers.map((phoneNumber, row) => ({ phoneNumber, name: `row ${row}` })),
		);
		const parameters = {
			...{ ...create, ...fields },
			options: {
				...{ perCampaign: SPELLINGS.length, duplicates: 'skip', unusable: 'send' },
				...{ defaultCountry: 'GB', numberFormat },
			},
		};
		const last = numbers.length - 1;
		rejecting(last);
		const first = await run(parameters, more);
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4]);
		accepting();
		expect((await retry(first.run, parameters, more)).error).toBeUndefined();
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, last]);
	},
);

test.each<[string, object, Partial<Options>]>([
	['a message', send, { items: few.slice(0, 1) }],
	['a list of input items', create, {}],
	[
		'a typed list',
		{ ...create, contactsSource: 'json', contactsJson: [rows[0]?.phoneNumber] },
		{ items: [{}] },
	],
	['a file', fromFile, { items: [{}], files: [fileOf(0, 1)] }],
	['calls', voice, {}],
])(
	'a retry says with which status the earlier try of %s ended, and of none where it had no response',
	async (_, parameters, more) => {
		const onError = 'continueErrorOutput' as const;
		for (const [behaviour, status] of [
			['failAfter', 500],
			['cutAfter', undefined],
		] as const) {
			service.decide = () => behaviour;
			const first = await run(parameters, more);
			accepting();
			const { errorItems } = await retry(first.run, parameters, { ...more, onError });
			const [{ json } = { json: {} as IDataObject }] = errorItems;
			expect(json).toMatchObject({ sent: 'possibly', error: 'Possibly sent before' });
			expect(json.httpStatus).toBe(status);
			const said = /responded with status (\d+)/.exec(String(json.description))?.[1];
			expect(said).toBe(status?.toString());
		}
	},
);

test('a row of a file with the number of one that was sent is a duplicate in the retry as well', async () => {
	const again = Buffer.from('\n+447700900000,row 0');
	const file = { items: [{}], files: [Buffer.concat([fileOf(0, 20), again])] };
	rejecting(15);
	const first = await run(fromFile, file);
	expect(acceptedRows()).toHaveLength(10);
	accepting();
	const { items } = await retry(first.run, fromFile, file);
	expect(acceptedRows()).toEqual(Array.from({ length: 20 }, (_, row) => row));
	expect(items[0]?.json.file).toMatchObject({ leftOut: { duplicate: 1 } });
});

test('a file that is retried says of each row once what it came to', async () => {
	const numbers = [0, 'bad', 1, 2, 2, 3, 4].map((row) =>
		typeof row === 'string' ? row : `+44770090000${row}`,
	);
	const lines = numbers.map((number, row) => `${number},row ${row}`);
	const file = { items: [{}], files: [Buffer.from(['phoneNumber,name', ...lines].join('\n'))] };
	const parameters = { ...fromFile, options: { ...fromFile.options, perCampaign: 2 } };
	rejecting(3);
	const first = await run(parameters, file);
	expect(acceptedRows()).toEqual([0, 2]);
	accepting();
	const { items } = await retry(first.run, parameters, file);
	expect(items.map(({ json }) => [json.firstRow, json.lastRow, json.recipients])).toEqual([
		[1, 3, 2],
		[4, 6, 2],
		[7, 7, 1],
	]);
	expect(items[0]?.json.file).toMatchObject({ rows: 7, leftOut: { invalid: 1, duplicate: 1 } });
	for (const { json } of items) expect(json).not.toHaveProperty('leftOut');
});

test('a file that is retried names no row of one campaign as one of another', async () => {
	const leavingOut = (row: number) => ({
		...fromFile,
		options: { ...fromFile.options, perCampaign: 3, doNotContactNumbers: rows[row]?.phoneNumber },
	});
	const file = { items: [{}], files: [fileOf(0, 5)] };
	service.decide = () => 'failAfter';
	const first = await run(leavingOut(0), file);
	accepting();
	const onError = 'continueErrorOutput' as const;
	const { errorItems } = await retry(first.run, leavingOut(9), { ...file, onError });
	expect(errorItems[0]?.json).toMatchObject({ sentRows: '1, 5', possiblySentRows: '2 to 4' });
});

test('a file that is retried without an opt-out names its row only where it was sent', async () => {
	const inCampaignsOf = (perCampaign: number, options: object) => ({
		...fromFile,
		options: { ...fromFile.options, ...options, perCampaign },
	});
	const file = { items: [{}], files: [fileOf(0, 6)] };
	service.decide = () => 'failAfter';
	const optOut = { doNotContactNumbers: rows[1]?.phoneNumber };
	const first = await run(inCampaignsOf(3, optOut), file);
	service.decide = (request) => (rowsOf(request).includes(4) ? 'reject' : 'accept');
	const onError = 'continueErrorOutput' as const;
	const { errorItems } = await retry(first.run, inCampaignsOf(1, {}), { ...file, onError });
	expect(errorItems[0]?.json).toMatchObject({
		...{ sentRows: '2', possiblySentRows: '1, 3 to 4', continueAtRow: 5 },
	});
});

test('a file whose retry fails at a row before sent ones is not to be continued behind these', async () => {
	const each = { ...fromFile, options: { ...fromFile.options, perCampaign: 1 } };
	const [, second] = rows;
	const options = { ...each.options, doNotContactNumbers: second?.phoneNumber };
	const file = { items: [{}], files: [fileOf(0, 4)] };
	rejecting(3);
	const first = await run({ ...each, options }, file);
	rejecting(1);
	const onError = 'continueErrorOutput' as const;
	const { errorItems } = await retry(first.run, each, { ...file, onError });
	expect(errorItems[0]?.json).toMatchObject({
		sentRows: '1, 3',
		description: expect.stringContaining('Send the other rows from a file that has only them.'),
	});
	expect(errorItems[0]?.json).not.toHaveProperty('continueAtRow');
});

test.each([
	['another column', 'phone,name,other', { phoneNumberField: 'other' }, {}],
	['another Default Country', 'phone,name,other', {}, { defaultCountry: 'FR' }],
])(
	'a file whose sent rows have other people now is not sent: %s',
	async (_, header, fields, options) => {
		const lines = ['07700900000,row 0,', '07700900001,row 1,', '+447700900000,row 2,07700900000'];
		const file = { items: [{}], files: [Buffer.from([header, ...lines].join('\n'))] };
		const own = { perCampaign: 1, unusable: 'skip', duplicates: 'skip', defaultCountry: 'GB' };
		const parameters = { ...fromFile, phoneNumberField: 'phone', options: own };
		rejecting(1);
		const first = await run(parameters, file);
		expect(acceptedRows()).toEqual([0]);
		accepting();
		const changed = { ...parameters, ...fields, options: { ...own, ...options } };
		const { error } = await retry(first.run, changed, file);
		expect(error?.message).toBe('The items differ from those of the earlier try');
		expect(acceptedRows()).toEqual([0]);
	},
);

const sources = {
	items: { ...create, options: { perCampaign: 1 } },
	json: {
		...{ ...create, contactsSource: 'json' },
		contactsJson: '={{ [{ phoneNumber: $json.phoneNumber, name: $json.name }] }}',
	},
	file: fromFile,
};
const sourceNames = Object.keys(sources) as (keyof typeof sources)[];
test.each(sourceNames.flatMap((from) => sourceNames.map((to) => [from, to] as const)))(
	'a retry of recipients from %s that takes them from %s sends to nobody twice',
	async (from, to) => {
		const both = { items: rows.slice(0, 2), files: [fileOf(0, 1), fileOf(1, 2)] };
		rejecting(1);
		const first = await run(sources[from], both);
		expect([first.error === undefined, acceptedRows()]).toEqual([false, [0]]);
		accepting();
		const { error } = await retry(first.run, sources[to], both);
		const isOther = from !== to;
		const told = isOther ? 'The items differ from those of the earlier try' : undefined;
		expect(error?.message).toBe(told);
		expect(acceptedRows()).toEqual(isOther ? [0] : [0, 1]);
	},
);

test('each batch of a loop has all tries of Retry On Fail, and nobody gets it twice', async () => {
	const failed = new Set<number>();
	// The second row of each batch fails once: the first one was sent by then.
	service.decide = (request) => {
		const [row = 0] = rowsOf(request);
		const isFailing = row % 2 === 1 && !failed.has(row);
		failed.add(row);
		return isFailing ? 'reject' : 'accept';
	};
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const { error } = await run(send, { items: few, loop: 2, settings });
	expect(error).toBeUndefined();
	expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a batch of a loop that failed in every try does not keep the next ones from being sent', async () => {
	rejecting(0);
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	await run(send, { items: few, loop: 2, settings, onError: 'continueRegularOutput' });
	expect(acceptedRows()).toEqual([1, 2, 3, 4, 5]);
});

const withInvalidRow = { items: [...rows, { row: 'row 12', phoneNumber: 'none' }] };
test.each<[string, object, Partial<Options>, string | undefined]>([
	['has an invalid row', send, withInvalidRow, 'Phone Number is not a single number (none)'],
	['is a dry run', { ...send, dryRun: true }, {}, undefined],
	['is a dry run by an expression', { ...send, dryRun: '={{ true }}' }, {}, undefined],
	['is a dry run of a campaign', { ...create, dryRun: '={{ true }}' }, {}, undefined],
])(
	'a run that sends nothing because it %s writes nothing into the n8n database',
	async (_, parameters, more, message) => {
		const before = processedDataCalls();
		const { error } = await run(parameters, more);
		expect(error?.message).toBe(message);
		expect(acceptedRows()).toEqual([]);
		expect(processedDataCalls()).toBe(before);
	},
);

describe('an execution that was killed or cancelled while it sent to ten or more people', () => {
	test.each([
		['messages', send, 5],
		['campaigns', create, 5],
	])('is not repeated by its retry: %s', async (_, parameters, row) => {
		await killedAt(row, async () => await run(parameters));
		const accepted = acceptedRows();
		expect(accepted.length).toBeGreaterThan(0);
		const refused = await retryOfKilled(parameters);
		expect(refused.error?.message).toBe(INTERRUPTED);
		expect(refused.error?.description).toContain('start a new execution');
		expect(rowsNamed(refused.error?.description, 'Possibly sent')).toEqual(all);
		// Nor by a retry of that one.
		expect((await retry(refused.run, parameters)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
	});

	test.each([
		[1, INTERRUPTED],
		[3, INTERRUPTED],
		[4, undefined],
	])('is remembered for three days: after %i', async (days, message) => {
		await killedAt(5, async () => await run(send));
		const { now } = Date;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + days * 86_400_000);
		const { error } = await retryOfKilled(send);
		clock.mockRestore();
		expect(error?.message).toBe(message);
	});

	test.each([0, 90])(
		'is not repeated where other runs have overwritten its mark for %i ms',
		async (milliseconds) => {
			freezeProcessedData(true);
			const cancel = new Promise<void>((resolve) => {
				service.decide = (request) => {
					if (rowsOf(request).includes(0)) {
						void setTimeout(milliseconds).then(() => {
							freezeProcessedData(false);
						});
					}
					if (!rowsOf(request).includes(5)) return 'accept';
					void setTimeout(1500).then(resolve);
					return 'hang';
				};
			});
			await run(send, { cancel });
			accepting();
			expect((await retryOfKilled(send)).error?.message).toBe(INTERRUPTED);
		},
	);

	const ten = { items: rows.slice(0, 10) };
	const optedOut = { ...create.options, doNotContactNumbers: rows[11]?.phoneNumber };
	const small = { ...fromFile, options: { ...fromFile.options, perCampaign: 4 } };
	const twoFiles = { items: [{}, {}], files: [fileOf(0, 5), fileOf(5, 35)] };
	const added = { row: 'row 12', phoneNumber: '+447700900012' };
	const british = { defaultCountry: 'GB' };
	const inBritain = { ...send, options: british };
	const national = {
		items: rows.map((each) => ({ ...each, phoneNumber: each.phoneNumber.replace('+44', '0') })),
	};

	interface Killed {
		parameters: object;
		more?: Partial<Options>;
		/** Before which row n8n is killed. */
		row?: number;
		/** What its retry has instead. */
		retried?: object;
		retriedMore?: Partial<Options>;
	}

	test.each<[string, Killed]>([
		['where it has exactly ten people', { parameters: send, more: ten }],
		[
			'where somebody has opted out since',
			{ parameters: create, retried: { ...create, options: optedOut } },
		],
		[
			'where it sent a file in small campaigns',
			{ parameters: small, more: { items: [{}], files: [fileOf(0, 24)] }, row: 6 },
		],
		['where it came to its second file', { parameters: fromFile, more: twoFiles, row: 25 }],
		['where a row was added', { parameters: send, retriedMore: { items: [added, ...rows] } }],
		['where a row was removed', { parameters: send, retriedMore: { items: rows.slice(1) } }],
		['where rows were moved', { parameters: send, retriedMore: { items: [...rows].reverse() } }],
		[
			'by a retry that sends numbers as entered',
			{
				...{ parameters: inBritain, more: national },
				retried: { ...send, options: { ...british, numberFormat: 'asEntered' } },
			},
		],
		[
			'by a retry that makes one campaign of all',
			{
				...{ parameters: inBritain, more: national },
				retried: { ...create, options: british, phoneNumberField: 'phoneNumber' },
			},
		],
		[
			'by a retry that calls',
			{
				...{ parameters: inBritain, more: national },
				retried: { ...voice, options: british, phoneNumbersSource: 'inputItems' },
			},
		],
	])('is not repeated %s', async (_, { parameters, more = {}, row = 5, ...other }) => {
		await killedAt(row, async () => await run(parameters, more));
		const accepted = acceptedRows();
		const marks = processedData();
		const { retried = parameters, retriedMore = more } = other;
		expect((await retryOfKilled(retried, retriedMore)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
		// A retry with those people alone whom the refused one would have reached first is free.
		expect(processedData().sort()).toEqual(marks.sort());
	});

	test('is not repeated either after a new execution has sent to the same people', async () => {
		await killedAt(5, async () => await run(send));
		expect((await run(send)).error).toBeUndefined();
		const accepted = acceptedRows();
		expect((await retryOfKilled(send)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
	});

	test('is not repeated either where it was a retry with few people left', async () => {
		rejecting(9);
		const failed = await run(send);
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
		await killedAt(10, async () => await retry(failed.run, send));
		const accepted = acceptedRows();
		expect((await retryOfKilled(send)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
	});

	test('is not repeated where a loop came to its second batch', async () => {
		const inLoop = { items: twoBatches, loop: 12 };
		await killedAt(15, async () => await run(send, inLoop));
		const accepted = acceptedRows();
		expect(accepted).toHaveLength(15);
		for (let retries = 0; retries < 2; retries++) {
			const refused = await retryOfKilled(send, inLoop);
			expect(refused.error?.message).toBe(INTERRUPTED);
		}
		expect(acceptedRows()).toEqual(accepted);
	});

	test('a batch of a loop that was never begun is open, also after a refused retry', async () => {
		const inLoop = { items: twoBatches, loop: 12 };
		await killedAt(5, async () => await run(send, inLoop));
		const accepted = acceptedRows();
		await retryOfKilled(send, { ...inLoop, onError: 'continueRegularOutput' });
		expect(acceptedRows()).toEqual(accepted);
		const second = twoBatches.slice(12, 24);
		expect((await retryOfKilled(send, { items: second })).error).toBeUndefined();
		expect(acceptedRows()).toEqual([...accepted, ...second.map((_, index) => index + 12)]);
	});

	test('does not say where to continue a file that it did not read', async () => {
		const file = { items: [{}], files: [fileOf(0, 30)] };
		await killedAt(25, async () => await run(fromFile, file));
		const { error } = await retryOfKilled(fromFile, file);
		expect(error?.message).toBe(INTERRUPTED);
		expect(error?.description).not.toContain('Start at Row');
	});

	test('does not keep a retry with other people from sending', async () => {
		await killedAt(5, async () => await run(send));
		const { error } = await retryOfKilled(send, { items: twoBatches.slice(12) });
		expect(error).toBeUndefined();
	});

	test('is not repeated either where n8n has saved what the nodes before have done', async () => {
		const second = { ...send, message: 'row 20' };
		const both = { first: send, items: rows };
		let killed: EngineResult | undefined;
		await killedAt(20, async () => (killed = await run(second, both)));
		const data = killed?.run as IRun;
		// As with Save Execution Progress: nothing of the node that was killed.
		delete data.data.executionData?.contextData['node:Messaging Service'];
		const accepted = acceptedRows();
		expect((await retry(data, second, both)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
	});

	test('does not keep a new execution from sending', async () => {
		await killedAt(5, async () => await run(send));
		expect((await run(send)).error).toBeUndefined();
	});

	test('leaves its mark when it is cancelled', async () => {
		let cancel: () => void = () => undefined;
		const cancelled = new Promise<void>((resolve) => (cancel = resolve));
		service.decide = (request) => {
			if (rowsOf(request).includes(4)) cancel();
			return 'accept';
		};
		const { run: data } = await run(send, { cancel: cancelled });
		expect(data.status).toBe('canceled');
		// n8n does not wait for the node.
		await setTimeout(100);
		const accepted = acceptedRows();
		expect((await retryOfKilled(send)).error?.message).toBe(INTERRUPTED);
		expect(acceptedRows()).toEqual(accepted);
	});

	test.each([
		['when it is done', 'accept'],
		['when it fails', 'reject'],
	] as const)('has no mark any more %s', async (_, behaviour) => {
		service.decide = () => behaviour;
		await run(send);
		expect(processedData()).toEqual([]);
		accepting();
		expect((await retryOfKilled(send)).error).toBeUndefined();
	});

	test('has no mark of any of its files when it is done', async () => {
		const files = [fileOf(0, 12), fileOf(12, 24)];
		await run(fromFile, { items: files.map((_, item) => ({ item })), files });
		expect(acceptedRows()).toHaveLength(24);
		expect(processedData()).toEqual([]);
	});

	test('is not repeated either when n8n was killed between the tries of Retry On Fail', async () => {
		let betweenTries = Promise.resolve<string | undefined>(undefined);
		let requests = 0;
		service.decide = async () => {
			const request = requests++;
			// The second try goes on when that retry has ended, however busy the machine is.
			if (request === 4) await betweenTries;
			if (request !== 3) return 'accept';
			betweenTries = setTimeout(100).then(async () => (await retryOfKilled(send)).error?.message);
			return 'reject';
		};
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5000 };
		expect((await run(send, { settings })).error).toBeUndefined();
		expect(await betweenTries).toBe(INTERRUPTED);
		expect(acceptedRows().sort((one, other) => one - other)).toEqual(all);
		expect(processedData()).toEqual([]);
	});

	test.each([
		['2', { maxTries: 2 }, 2],
		['n8n chooses', {}, 3],
		['9, of which n8n makes 5', { maxTries: 9 }, 5],
	])('has no mark any more after the last try of Retry On Fail: %s', async (_, more, tries) => {
		let requests = 0;
		service.decide = () => (requests++, 'reject');
		const settings = { retryOnFail: true, waitBetweenTries: 1, ...more };
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			requests = 0;
			const { items } = await run(send, { settings, onError });
			expect(requests).toBe(tries * (onError === 'stopWorkflow' ? 1 : ROWS));
			expect(items).toHaveLength(onError === 'stopWorkflow' ? 0 : ROWS);
			expect(processedData()).toEqual([]);
		}
		accepting();
		// An execution that failed before it reached the node.
		expect((await retryOfKilled(send)).error).toBeUndefined();
	});

	test('does not refuse its own retry for a mark that another process has written back', async () => {
		let earlier: string[] = [];
		service.decide = (request) => {
			earlier = processedData();
			return rowsOf(request).includes(4) ? 'reject' : 'accept';
		};
		const failed = await run(send);
		expect(earlier).not.toEqual([]);
		restoreProcessedData(earlier);
		accepting();
		expect((await retry(failed.run, send)).error).toBeUndefined();
		expect(acceptedRows().sort((a, b) => a - b)).toEqual(all);
	});

	test('does not refuse the retry of a retry for anything that the first one has stored', async () => {
		service.decide = (request) => (rowsOf(request).includes(4) ? 'reject' : 'accept');
		const failed = await run(send);
		const written: string[] = [];
		freezeProcessedData(false, () => {
			written.push(...processedData());
			return 0;
		});
		const retried = await retry(failed.run, send);
		expect(retried.error?.message).toBe('Message: not today');
		restoreProcessedData(written);
		accepting();
		expect((await retry(retried.run, send)).error).toBeUndefined();
		expect(acceptedRows().sort((a, b) => a - b)).toEqual(all);
	});

	test('sends all the same when the mark cannot be stored', async () => {
		freezeProcessedData(false, () => {
			throw new Error('The database is locked');
		});
		expect((await run(send)).error).toBeUndefined();
		expect(acceptedRows()).toEqual(all);
	});
});

interface Step {
	/** Which of the saved executions is retried; two at the same time. */
	targets: number[];
	/** The process dies before this request; not at all when it is never reached. */
	killAt: number | undefined;
	behaviours: Behaviour[];
	latencies: number[];
	failing: number;
	perCampaign: number;
	retryOnFail: boolean;
}

const behaviours = fc.array(anyBehaviour(5, 3), { minLength: 8, maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.record({
	targets: fc.array(fc.nat(10), { minLength: 1, maxLength: 2 }),
	killAt: fc.option(fc.nat(3), { nil: undefined, freq: 2 }),
	behaviours,
	latencies: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 8, maxLength: 8 }),
	failing: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { arbitrary: fc.nat(12), weight: 1 }),
	perCampaign: fc.constantFrom(4, 4, 4, 3, 20),
	retryOnFail: fc.boolean(),
});

const shapes: Record<string, { parameters: { options: object }; more?: Partial<Options> }> = {
	messages: { parameters: send },
	'messages, several at a time': {
		parameters: send,
		more: {
			get credential() {
				return { ...credential, concurrentRequests: 10 };
			},
		},
	},
	campaigns: { parameters: create },
	'one campaign': { parameters: voice },
	'one message': { parameters: send, more: { items: rows.slice(0, 1) } },
	'rows of a file': {
		parameters: fromFile,
		more: { items: [{}], files: [fileOf(0, ROWS)] },
	},
	'messages in a loop': { parameters: send, more: { loop: 5 } },
	'calls of a tool': {
		parameters: send,
		more: { settings: { type: 'messagingServiceTool' }, onError: 'stopWorkflow' },
	},
};

/** A saved execution: its data, or nothing but what it was started with. */
type Saved = IRun | 'start';

async function play(shape: (typeof shapes)[string], first: Step, steps: readonly Step[]) {
	const saved: Saved[] = [];
	const results: { error: EngineResult['error']; accepted: number[] }[] = [];
	for (const { targets, killAt, perCampaign, ...random } of [first, ...steps]) {
		const isDivided = 'perCampaign' in shape.parameters.options;
		const more = isDivided ? { perCampaign } : {};
		const parameters = { ...shape.parameters, options: { ...shape.parameters.options, ...more } };
		const { retryOnFail } = random;
		const settings = {
			...shape.more?.settings,
			...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 1 } : {}),
		};
		const options = { ...shape.more, settings };
		let change = 0;
		let failing = random.failing;
		const latency = () => {
			if (failing-- > 0) throw new Error('The database is locked');
			return random.latencies[change++ % random.latencies.length] ?? 0;
		};
		freezeProcessedData(false, latency);
		let requests = 0;
		const isKill = killAt !== undefined && targets.length === 1;
		service.decide = () => {
			if (isKill && requests >= killAt) freezeProcessedData(true);
			const behaviour = random.behaviours[requests++ % random.behaviours.length];
			return isKill && requests > killAt ? 'cutBefore' : (behaviour ?? 'accept');
		};
		const isFirst = saved.length === 0;
		const chosen = isFirst ? [undefined] : targets.map((target) => saved[target % saved.length]);
		const made = await Promise.all(
			chosen.map(async (target) =>
				target === undefined
					? await run(parameters, options)
					: target === 'start'
						? await retryOfKilled(parameters, options)
						: await retry(target, parameters, options),
			),
		);
		freezeProcessedData(false, () => 0);
		// What a killed execution leaves for its retry is what it was started with.
		if (isKill && requests > killAt) saved.push(chosen[0] ?? 'start');
		else {
			const accepted = acceptedRows();
			results.push(...made.map(({ error }) => ({ error, accepted })));
			saved.push(...made.flatMap((each) => (each.error === undefined ? [] : [each.run])));
		}
		if (saved.length === 0) break;
	}
	return results;
}

/** The rows that an error names: those of a file are counted from 1, and its item stands for all. */
function reportedRows(
	{ more }: (typeof shapes)[string],
	description: string | null | undefined,
	label: string,
): number[] {
	const items = rowsNamed(description, label);
	if (more?.files === undefined) return items;
	const inFile = rowsNamed(description, label, 'row').map((row) => row - 1);
	return items.length > 0 ? all : inFile;
}

test.each(Object.entries(shapes))(
	'of all retries of an execution, in any order, nobody gets %s twice, and no report hides one',
	async (_, shape) => {
		const isMany = (shape.more?.items ?? rows).length >= 10 && shape.more?.loop === undefined;
		await holds(
			fc.asyncProperty(step, fc.array(step, { maxLength: 5 }), async (first, steps) => {
				service.reset();
				resetProcessedData();
				// Of an execution that was killed while it sent to a few, or to an agent, nothing is known.
				const isProtected = isMany && shape.more?.settings === undefined && first.failing === 0;
				const start = isProtected ? first : { ...first, killAt: undefined };
				const results = await play(shape, start, steps);
				const reached = acceptedRows();
				expect(new Set(reached).size).toBe(reached.length);
				if (shape.more?.loop !== undefined) return;
				// Each report is true of what was accepted by then.
				for (const { error, accepted } of results) {
					if (error === undefined || error.message.includes('differ')) continue;
					const [sent, possibly] = ['Sent', 'Possibly sent'].map((label) =>
						reportedRows(shape, error.description, label),
					) as [number[], number[]];
					for (const row of accepted) expect([...sent, ...possibly]).toContain(row);
					for (const row of sent) expect(accepted).toContain(row);
					const [, next = ''] = /set Start at Row .* to (\d+)/.exec(error.description ?? '') ?? [];
					if (next !== '') expect(Math.max(...accepted, -1)).toBeLessThan(Number(next) - 1);
				}
			}),
			3,
		);
	},
	600_000,
);
