import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { IRun } from 'n8n-workflow';
import { RetryClaims } from '../../nodes/MessagingService/execution/retryClaims';
import { processedData, freezeProcessedData, resetProcessedData } from '../support/deduplication';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import { anyBehaviour, isClear, namesIn, rowsNamed } from '../support/modelRows';
import type { Behaviour, ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';
import { runs } from '../support/runs';

jest.mock('../../nodes/MessagingService/execution/claimStore', () => ({
	...jest.requireActual<object>('../../nodes/MessagingService/execution/claimStore'),
	// The store of these tests takes up to 2 ms for a change, and a busy machine some more.
	SETTLE_MS: 40,
}));

const { service, credential } = modelSuite();

const ROWS = 6;
const rows = Array.from({ length: ROWS }, (_, row) => ({
	row: `row ${row}`,
	phoneNumber: `+44770090000${row}`,
	name: `row ${row}`,
}));

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.row }}',
	sender: 'Shop',
	options: { maxRetries: 0, requestsAtOnce: 2 },
};
const create = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Sale',
	sender: 'Shop',
	options: { maxRetries: 0, requestsAtOnce: 2, perCampaign: 2 },
};

const voice = {
	...voiceParameters,
	operation: 'createForClient',
	options: { maxRetries: 0, requestsAtOnce: 2 },
};

/** The rows that a request stands for. */
function rowsOf(request: ModelRequest): number[] {
	return namesIn(request).map((name) => Number(name.replace('row ', '')));
}

/** The rows that were accepted, one entry for each time. */
function acceptedRows(): number[] {
	return service.accepted.flatMap(rowsOf);
}

const run = async (parameters: object, settings = {}) =>
	await runAction({ credential, parameters: { ...parameters }, items: rows, settings });
const retry = async (failed: IRun, parameters: object) =>
	await retryAction(failed, { credential, parameters: { ...parameters }, items: rows });

test('two retries of one execution send the rest once', async () => {
	service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
	const parameters = { ...send, options: { ...send.options, requestsAtOnce: 1 } };
	const { run: original } = await run(parameters);
	expect(acceptedRows()).toEqual([0, 1, 2]);
	service.decide = ({ body }) => (body.message === 'row 5' ? 'reject' : 'accept');
	const first = await retry(original, parameters);
	expect(first.error?.description).toContain(
		'Sent: items 0 to 4 (5 in total). Not sent by this retry: item 5.',
	);
	service.decide = () => 'accept';
	const second = await retry(original, parameters);
	expect(second.error).toBeUndefined();
	expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
	expect(second.items.map(({ json }) => json)).toEqual([
		...[0, 1, 2].map(() =>
			expect.objectContaining({ newId: expect.stringMatching(/^c56a4180-65aa-42ec-a945-/) }),
		),
		...[3, 4].map(() => ({ sent: 'yes', sentByOtherRetry: true })),
		expect.objectContaining({ newId: expect.any(String), sent: 'yes' }),
	]);
	// Two texts stay for each request that a retry has sent, and two for the operation.
	expect(processedData()).toHaveLength(8);
	const third = await retry(original, parameters);
	expect(third.error).toBeUndefined();
	expect(acceptedRows()).toHaveLength(ROWS);
	expect(processedData()).toHaveLength(8);
});

test('a row whose fate is unknown does not hold up the others', async () => {
	service.decide = ({ body }) => (body.message === 'row 2' ? 'cutAfter' : 'accept');
	const { run: original } = await run({ ...send, options: { maxRetries: 0, requestsAtOnce: 1 } });
	service.decide = () => 'accept';
	const { error } = await retry(original, send);
	expect([...acceptedRows()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
	expect(error?.description).toContain('Possibly sent: item 2.');
	expect(rowsNamed(error?.description, 'Sent')).toEqual([0, 1, 3, 4, 5]);
});

test('a first run stores nothing', async () => {
	service.decide = ({ body }) => (body.message === 'row 2' ? 'reject' : 'accept');
	await run(send);
	expect(processedData()).toEqual([]);
});

describe('another division into campaigns', () => {
	const otherwise = { ...create, options: { ...create.options, perCampaign: 3 } };
	const DIFFERS = 'The division into campaigns differs from that of';

	test('is made by a retry where nothing was sent', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(create);
		service.decide = () => 'accept';
		const { error } = await retry(original, otherwise);
		expect(error).toBeUndefined();
		expect(service.accepted).toHaveLength(2);
	});

	test('is refused where a part was sent', async () => {
		const next: Behaviour[] = ['accept', 'reject', 'reject'];
		service.decide = () => next.shift() ?? 'accept';
		const { run: original } = await run(create);
		const { error } = await retry(original, otherwise);
		expect(error?.message).toBe(`${DIFFERS} the first try`);
		expect(acceptedRows()).toEqual([0, 1]);
		expect(rowsNamed(error?.description, 'Sent')).toEqual([0, 1]);
	});

	test.each([
		[create, otherwise],
		[otherwise, create],
		[{ ...create, options: {} }, create],
		[create, { ...create, options: {} }],
	])('is refused where another retry has sent a part (%#)', async (first, second) => {
		service.decide = () => 'reject';
		const { run: original } = await run(create);
		const next: Behaviour[] = ['accept', 'reject', 'reject'];
		service.decide = () => next.shift() ?? 'reject';
		await retry(original, first);
		const accepted = acceptedRows();
		service.decide = () => 'accept';
		const { error } = await retry(original, second);
		expect(error?.message).toBe(`${DIFFERS} another retry`);
		// The other retry has sent something.
		expect(error?.description).not.toContain('Nothing was sent');
		expect(error?.description).toContain('do not start a new execution with all items');
		expect(acceptedRows()).toEqual(accepted);
	});
});

test('retries that start in short succession do not take each other for another division', async () => {
	const parameters = { ...create, options: { ...create.options, requestsAtOnce: 1 } };
	const next: Behaviour[] = ['accept', 'reject'];
	service.decide = () => next.shift() ?? 'accept';
	const { run: original } = await run(parameters);
	const retries = await Promise.all(
		[0, 10, 30, 50].map(async (wait) => {
			await setTimeout(wait);
			return await retry(original, parameters);
		}),
	);
	for (const { error } of retries) {
		expect(error?.message ?? '').toMatch(
			/^$|^Possibly sent by another retry$|could not reserve|another retry of the execution is running$/,
		);
	}
	expect([...acceptedRows()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('another operation is refused by a retry when something was sent', async () => {
	service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
	const { run: original } = await run({ ...send, options: { requestsAtOnce: 1, maxRetries: 0 } });
	for (const onError of [undefined, 'continueRegularOutput'] as const) {
		const { error, items } = await retryAction(original, {
			credential,
			parameters: create,
			items: rows,
			onError,
		});
		if (onError === undefined)
			expect(error?.message).toBe('Operation differs from that of the first try');
		else
			expect(items.map(({ json }) => json.sent)).toEqual([
				...['possibly', 'possibly', 'possibly', 'no', 'no', 'no'],
			]);
	}
	expect(acceptedRows()).toEqual([0, 1, 2]);
});

describe('an operation that another retry has sent something with', () => {
	const json = {
		...create,
		contactsSource: 'json',
		contactsJson: '={{ [{ phoneNumber: $json.phoneNumber, name: $json.name }] }}',
	};
	/** The original sends nothing, and the first retry one request. */
	const afterOneRetry = async (parameters: object) => {
		service.decide = () => 'reject';
		const { run: original } = await run(parameters);
		const next: Behaviour[] = ['accept'];
		service.decide = () => next.shift() ?? 'reject';
		await retry(original, parameters);
		expect(service.accepted).toHaveLength(1);
		service.decide = () => 'accept';
		return original;
	};

	test.each([
		[send, create],
		[create, send],
		[create, voice],
		[create, json],
		[json, create],
	])('is not replaced by another one (%#)', async (first, second) => {
		const original = await afterOneRetry(first);
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			const { error, items } = await retryAction(original, {
				...{ credential, parameters: { ...second }, items: rows, onError },
			});
			expect(service.accepted).toHaveLength(1);
			const differs = 'Operation differs from that of another retry';
			if (onError === undefined) expect(error?.message).toBe(differs);
			else
				expect(
					new Set(items.map(({ json: { error: title, sent } }) => `${title}/${sent}`)),
				).toEqual(new Set([`${differs}/possibly`]));
		}
		const { error } = await retry(original, first);
		expect(error).toBeUndefined();
		expect([...acceptedRows()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('is free again where that retry sent nothing', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		await retry(original, send);
		service.decide = () => 'accept';
		expect((await retry(original, create)).error).toBeUndefined();
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test.each([0, 25, 60, 110, 200])('nor at the same time, %d ms later', async (wait) => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		service.decide = () => 'accept';
		await Promise.all([
			retry(original, send),
			setTimeout(wait).then(async () => await retry(original, create)),
		]);
		expect(new Set(acceptedRows()).size).toBe(acceptedRows().length);
	});
});

describe('what a retry says about rows that it does not send', () => {
	const continuing = (parameters: object) => ({
		...{ credential, items: rows, onError: 'continueRegularOutput' as const },
		parameters: { ...send, options: { ...send.options, requestsAtOnce: 1 }, ...parameters },
	});
	/** Items 0 and 1 are sent by the original, 2 and 3 by a retry. */
	const afterOneRetry = async () => {
		service.decide = ({ body }) => (body.message === 'row 2' ? 'reject' : 'accept');
		const { parameters } = continuing({});
		const { run: original } = await run(parameters);
		service.decide = ({ body }) => (body.message === 'row 4' ? 'reject' : 'accept');
		await retry(original, parameters);
		service.decide = () => 'accept';
		expect(acceptedRows()).toEqual([0, 1, 2, 3]);
		return original;
	};

	test('because their values are wrong now', async () => {
		const original = await afterOneRetry();
		const { items } = await retryAction(original, continuing({ message: '={{ null }}' }));
		expect(items.map(({ json: { sent } }) => sent)).toEqual([
			...['possibly', 'possibly', 'possibly', 'possibly', 'no', 'no'],
		]);
		const next = await retryAction(original, continuing({}));
		expect(next.items.map(({ json: { sent } }) => sent)).toEqual(rows.map(() => 'yes'));
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('because nothing can be sent', async () => {
		const original = await afterOneRetry();
		const broken = { options: { requestsAtOnce: -1 } };
		const { items } = await retryAction(original, continuing(broken));
		expect(items.map(({ json: { sent } }) => sent)).toEqual(rows.map(() => 'possibly'));
		const stopped = await retryAction(original, { ...continuing(broken), onError: undefined });
		expect(stopped.error?.description).toContain('Sent: items 0 to 1 (2 in total). Not sent by');
	});

	test('because nothing can be sent, and nothing was', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		const { items } = await retryAction(original, continuing({ options: { requestsAtOnce: -1 } }));
		expect(items.map(({ json: { sent } }) => sent)).toEqual(rows.map(() => 'no'));
		service.decide = () => 'accept';
		expect((await retry(original, send)).error).toBeUndefined();
		expect(acceptedRows().sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('because the list as a whole is wrong now', async () => {
		const next: Behaviour[] = ['accept', 'reject', 'reject'];
		service.decide = () => next.shift() ?? 'accept';
		const { run: original } = await run(create);
		for (const options of [
			{ ...create.options, perCampaign: 3 },
			{ ...create.options, doNotContactNumbers: 'foo' },
		]) {
			const { items } = await retryAction(original, {
				...{ ...continuing({}), parameters: { ...create, options } },
			});
			expect(items.map(({ json: { sent } }) => sent)).toEqual([
				...['possibly', 'possibly', 'no', 'no', 'no', 'no'],
			]);
		}
	});

	test('while another retry sends them', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		service.decide = () => 'accept';
		const [good] = await Promise.all([
			retry(original, { ...send, options: { ...send.options, requestsAtOnce: 1 } }),
			setTimeout(100).then(
				async () => await retryAction(original, continuing({ message: '={{ null }}' })),
			),
		]);
		expect(good.error?.message ?? 'Possibly sent by another retry').toBe(
			'Possibly sent by another retry',
		);
		expect((await retry(original, send)).error).toBeUndefined();
		expect([...acceptedRows()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
	});

	test('because they must not be contacted any more', async () => {
		const original = await afterOneRetry();
		const numbers = [1, 3, 5].map((row) => rows[row]?.phoneNumber).join(', ');
		const options = { requestsAtOnce: 1, doNotContactNumbers: numbers };
		const { items } = await retryAction(original, continuing({ options }));
		expect(items.map(({ json: { sent, skipped } }) => [sent, skipped])).toEqual([
			...[0, 1, 2, 3, 4].map(() => ['yes', undefined]),
			['no', true],
		]);
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4]);
	});

	test('because its n8n has lost the store', async () => {
		const original = await afterOneRetry();
		freezeProcessedData(false, () => {
			throw new Error('The database is locked');
		});
		const { items } = await retryAction(original, continuing({ message: '={{ null }}' }));
		freezeProcessedData(false, () => 0);
		expect(items.map(({ json: { sent } }) => sent)).toEqual(rows.map(() => 'possibly'));
	});

	test('because another operation was chosen, which sends nothing', async () => {
		const original = await afterOneRetry();
		const { items } = await retryAction(original, {
			...{ credential, items: rows, onError: 'continueRegularOutput' },
			parameters: { resource: 'smsMessage', operation: 'get', messageId: 'a' },
		});
		expect(items.map(({ json: { error, sent } }) => [error, sent])).toEqual(
			rows.map(() => ['Operation differs from that of the first try', 'possibly']),
		);
	});

	test('because one of them stopped it', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		service.decide = () => 'accept';
		const broken = {
			...send,
			message: '={{ $json.row === "row 1" ? null : $json.row }}',
			options: { maxRetries: 0, requestsAtOnce: 1 },
		};
		const { error } = await retry(original, broken);
		expect(error?.description).toContain('Sent: item 0. Not sent by this retry: items 1 to 5');
		expect(acceptedRows()).toEqual([0]);
	});

	test('because it only reads', async () => {
		service.decide = () => 'reject';
		const { run: original } = await run(send);
		service.decide = ({ body }) => (body.message === 'row 2' ? 'reject' : 'accept');
		await retry(original, send);
		const before = processedData();
		const { items } = await retryAction(original, {
			...{ credential, items: rows, onError: 'continueRegularOutput' },
			parameters: { resource: 'smsMessage', operation: 'get', messageId: '={{ null }}' },
		});
		expect(items.map(({ json: { error, sent } }) => [typeof error, sent])).toEqual(
			rows.map(() => ['string', 'no']),
		);
		expect(processedData()).toEqual(before);
	});

	test('in a campaign of which another retry has sent a part', async () => {
		const settings = { credential, items: [{ phoneNumber: 'none' }, ...rows] };
		const parameters = { ...create, options: { ...create.options, unusable: 'send' } };
		service.decide = () => 'reject';
		const { run: original } = await runAction({ ...settings, parameters });
		const next: Behaviour[] = ['accept', 'reject', 'reject', 'reject'];
		service.decide = () => next.shift() ?? 'accept';
		await retryAction(original, { ...settings, parameters });
		expect(service.accepted).toHaveLength(1);
		const { items } = await retryAction(original, {
			...{ ...settings, parameters: create, onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json: { error, sent } }) => [error, sent])).toEqual([
			[expect.stringMatching(/none/), 'possibly'],
			...rows.map(() => ['Possibly sent by another try', 'possibly']),
		]);
	});
});

test('a retry of a loop, repeated, sends no round twice', async () => {
	service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
	const options = { credential, parameters: send, items: rows, loop: 1 };
	const { run: original } = await runAction(options);
	expect(acceptedRows()).toEqual([0, 1, 2]);
	service.decide = () => 'accept';
	for (let repeated = 0; repeated < 2; repeated++) {
		expect((await retryAction(original, options)).error).toBeUndefined();
		expect(acceptedRows()).toEqual([0, 1, 2, 3, 4, 5]);
	}
});

test('a node after the one that failed does not send twice when that one is retried twice', async () => {
	const options = {
		credential,
		parameters: { ...send, message: 'row 0', phoneNumber: '+447700900123' },
		items: rows.slice(0, 1),
		first: { ...send, message: 'row 1' },
	};
	service.decide = () => 'reject';
	const { run: original } = await runAction(options);
	service.decide = () => 'accept';
	for (let repeated = 0; repeated < 2; repeated++) {
		expect((await retryAction(original, options)).error).toBeUndefined();
		expect(acceptedRows()).toEqual([1, 0]);
	}
});

describe('a node after the one that failed, which gets other items in the second retry', () => {
	/** What an expression makes of four items: whom they reach. */
	const reaching = (reached: number[]) => ({
		...send,
		message: `={{ 'row ' + ${JSON.stringify(reached)}[$itemIndex] }}`,
		phoneNumber: `={{ '+44770090000' + ${JSON.stringify(reached)}[$itemIndex] }}`,
		options: { maxRetries: 0, requestsAtOnce: 1 },
	});
	const node = (reached: number[], onError?: 'continueErrorOutput') => ({
		...{ credential, parameters: reaching(reached), items: rows.slice(0, 4), onError },
		first: { ...send, message: 'row 9', phoneNumber: '+447700900009' },
	});

	test.each([
		['new ones', [5, 6, 7, 8], []],
		['without the first', [2, 3, 4, 5], [2]],
		['one on top', [0, 1, 2, 3], [1, 2]],
		['in another order', [4, 3, 2, 1], [1, 2]],
		['the same', [1, 2, 3, 4], [1, 2, 3, 4]],
	])('sends nothing twice, and calls nobody sent who was not: %s', async (_, reached, sent) => {
		for (const onError of [undefined, 'continueErrorOutput'] as const) {
			service.reset();
			resetProcessedData();
			service.decide = () => 'reject';
			const { run: original } = await runAction(node([1, 2, 3, 4]));
			service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
			await retryAction(original, node([1, 2, 3, 4]));
			service.decide = () => 'accept';
			const { error, items } = await retryAction(original, node(reached, onError));
			const accepted = acceptedRows().filter((row) => row !== 9);
			expect(new Set(accepted).size).toBe(accepted.length);
			for (const { json, pairedItem } of items) {
				const { item } = pairedItem as { item: number };
				if (json.sent === 'yes') expect(accepted).toContain(reached[item]);
			}
			if (onError === undefined && sent.length < 4)
				expect(error?.message).toMatch(/is not the one that another retry has sent to/);
			else expect(accepted).toEqual(expect.arrayContaining(sent));
		}
	});
});

describe('lists per item, behind a node that gives them in another order to the next retry', () => {
	const reached = (by: number[], text: string) => `'${text}' + ${JSON.stringify(by)}[$itemIndex]`;
	const listing = (by: number[]) => ({
		...create,
		contactsSource: 'json',
		contactsJson: `={{ [{ phoneNumber: ${reached(by, '+44770090000')}, name: ${reached(by, 'row ')} }] }}`,
		options: { maxRetries: 0, requestsAtOnce: 1 },
	});
	const sending = (by: number[]) => ({
		...send,
		message: `={{ ${reached(by, 'row ')} }}`,
		phoneNumber: `={{ ${reached(by, '+44770090000')} }}`,
		options: { maxRetries: 0, requestsAtOnce: 1 },
	});
	const node = (parameters: object) => ({
		...{ credential, parameters: { ...parameters }, items: rows.slice(0, 4) },
		first: { ...send, message: 'row 9', phoneNumber: '+447700900009' },
	});
	const onError = 'continueErrorOutput' as const;
	/** The original fails before; a retry sends the first two. */
	const afterOneRetry = async (parameters: object) => {
		service.decide = () => 'reject';
		const { run: original } = await runAction(node(parameters));
		service.decide = (request) => (rowsOf(request).includes(3) ? 'reject' : 'accept');
		await retryAction(original, node(parameters));
		expect(sentRows()).toEqual([1, 2]);
		service.decide = () => 'accept';
		return original;
	};
	const sentRows = () => acceptedRows().filter((row) => row !== 9);

	test.each([[[4, 3, 2, 1]], [[0, 1, 2, 3]], [[2, 1, 4, 3]]])(
		'reach nobody twice: %j',
		async (by) => {
			const original = await afterOneRetry(listing([1, 2, 3, 4]));
			await retryAction(original, { ...node(listing(by)), onError });
			expect(new Set(sentRows()).size).toBe(sentRows().length);
		},
	);

	test.each([
		['campaigns', listing],
		['messages', sending],
	])(
		'call nobody unsent whom another retry may have reached from another place: %s',
		async (_, parameters) => {
			const original = await afterOneRetry(parameters([1, 2, 3, 4]));
			const broken = { ...parameters([4, 3, 2, 1]), sender: '={{ null }}' };
			const { errorItems } = await retryAction(original, { ...node(broken), onError });
			expect(errorItems.map(({ json }) => json.sent)).toEqual(Array(4).fill('possibly'));
		},
	);
});

test('a row of which a part was sent in an earlier try is not called sent', async () => {
	const parameters = {
		...create,
		contactsSource: 'json',
		contactsJson:
			"={{ [1, 2].map((each) => ({ phoneNumber: '+44770090' + $json.phoneNumber.slice(-1) + '00' + each, name: $json.row })) }}",
		options: { maxRetries: 0, requestsAtOnce: 1, perCampaign: 1 },
	};
	const next: Behaviour[] = ['accept', 'accept', 'accept', 'reject'];
	service.decide = () => next.shift() ?? 'accept';
	const { run: original } = await run(parameters);
	service.decide = () => 'reject';
	const { error } = await retry(original, { ...parameters, message: '={{ null }}' });
	expect(error?.description).toContain('Sent: item 0. Partly sent: item 1.');
});

test('in a sub-workflow, nobody is told to use Retry', async () => {
	service.decide = ({ body }) => (body.message === 'row 3' ? 'reject' : 'accept');
	const options = { credential, parameters: send, items: rows };
	const { error } = await runAction({ ...options, mode: 'integrated' });
	expect(error?.description).toContain('Sent: items 0 to 2');
	expect(error?.description).not.toContain('use Retry');
	expect(error?.description).toContain('a retry of the parent workflow sends all of them again');
});

test.each([{ status: 'queued' }, {}])(
	'a voice campaign that was accepted without an ID is not created again',
	async () => {
		service.decide = () => 'acceptVaguely';
		const { run: original, error } = await run(voice);
		expect(error?.message).toBe('The response of the service is not a campaign with an ID');
		expect(error?.description).toContain('Possibly sent: items 0 to 5');
		service.decide = () => 'accept';
		const retried = await retry(original, voice);
		expect(retried.error?.message).toBe('Possibly sent in an earlier try');
		expect(service.accepted).toHaveLength(1);
	},
);

/** A retry sends the first rows, and its process dies while it sends the next ones. */
async function dieAfter(original: IRun, rowsSent: number) {
	service.decide = (request) => {
		if (rowsOf(request).some((row) => row < rowsSent)) return 'accept';
		freezeProcessedData(true);
		return 'cutBefore';
	};
	await retry(original, send);
	freezeProcessedData(false);
	service.decide = () => 'accept';
}

test('what another retry has reserved is not called an earlier try', async () => {
	service.decide = () => 'reject';
	const { run: original } = await run(send);
	await dieAfter(original, 2);
	const { error } = await retry(original, send);
	expect(error?.message).toBe('Possibly sent by another retry');
	expect(error?.description).toContain('Another retry of this execution is sending this item');
	// Only what was reserved together is in doubt.
	expect(rowsNamed(error?.description, 'Possibly sent')).toEqual([2, 3]);
	expect(acceptedRows().sort()).toEqual([0, 1, 4, 5]);
});

test('a retry that died before its first request ended lets nothing be sent', async () => {
	service.decide = () => 'reject';
	const { run: original } = await run(send);
	await dieAfter(original, 0);
	const { error } = await retry(original, send);
	expect(error?.message).toMatch(
		/^This retry did not send this item: another retry .* is running$/,
	);
	expect(acceptedRows()).toEqual([]);
});

test('a store that fails lets nothing be sent, and is named', async () => {
	const store = {
		add: async () => Promise.reject(new Error('The database is locked')),
		remove: async () => Promise.resolve(),
	};
	await expect(new RetryClaims(store, 'run').claim(['0'])).rejects.toMatchObject({
		message: 'This retry could not reserve its rows in the n8n database',
		description:
			'This retry sent nothing for the item (The database is locked). Run the retry again.',
	});
});

interface Step {
	/** Which of the failed executions so far is retried; two at the same time. */
	targets: number[];
	/** The process dies before this request; not at all when it is never reached. */
	crashAt: number | undefined;
	behaviours: Behaviour[];
	latencies: number[];
	perCampaign: number;
}

const behaviours = fc.array(anyBehaviour(5, 3), { minLength: 8, maxLength: 8 });
const latencies = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 8, maxLength: 8 });
const step: fc.Arbitrary<Step> = fc.record({
	targets: fc.array(fc.nat(10), { minLength: 1, maxLength: 2 }),
	crashAt: fc.option(fc.nat(2), { nil: undefined, freq: 2 }),
	behaviours,
	latencies,
	perCampaign: fc.constantFrom(2, 2, 2, 1, 3),
});

/** What the node is played with. */
interface Shape {
	parameters: { options: object };
	loop?: number;
	items?: typeof rows;
}

const shapes: Record<string, Shape> = {
	messages: { parameters: send },
	campaigns: { parameters: create },
	'one campaign': { parameters: voice },
	'one message': { parameters: send, items: rows.slice(0, 1) },
	'messages in a loop': { parameters: send, loop: 2 },
	'campaigns in a loop': { parameters: create, loop: 4 },
};

/** The result of a run and its retries. */
interface Played {
	/** The executions that failed, the first one being the original. */
	failed: EngineResult[];
	/** The rows of requests whose response did not tell whether they were sent. */
	unclear: Set<number>;
	crashes: number;
}

/** Plays failures and retries. */
async function play(shape: Shape, first: Behaviour[], steps: Step[]): Promise<Played> {
	const cycle = <Value>(values: readonly Value[]) => {
		let next = 0;
		return () => values[next++ % values.length] as Value;
	};
	const unclear = new Set<number>();
	const decideBy = (next: () => Behaviour) => (request: ModelRequest) => {
		const decided = next();
		for (const row of isClear(decided) ? [] : rowsOf(request)) unclear.add(row);
		return decided;
	};
	service.decide = decideBy(cycle(first));
	const original = await runAction(optionsOf(shape));
	const failed: EngineResult[] = original.error === undefined ? [] : [original];
	let crashes = 0;
	for (const { targets, crashAt, perCampaign, ...random } of failed.length === 0 ? [] : steps) {
		const next = cycle(random.behaviours);
		resetLatency(cycle(random.latencies));
		const isCrash = crashAt !== undefined && targets.length === 1;
		let requests = 0;
		service.decide = decideBy(() => {
			if (isCrash && requests++ >= crashAt) freezeProcessedData(true);
			return isCrash && requests > crashAt ? 'cutBefore' : next();
		});
		const results = await Promise.all(
			targets.map(async (target) =>
				retryAction(
					(failed[target % failed.length] as EngineResult).run,
					optionsOf(shape, perCampaign),
				),
			),
		);
		freezeProcessedData(false);
		const hasCrashed = isCrash && requests > crashAt;
		// Of a crashed execution, n8n has nothing to retry.
		if (hasCrashed) crashes++;
		else failed.push(...results.filter(({ error }) => error !== undefined));
	}
	return { failed, unclear, crashes };
}

function optionsOf({ parameters, items = rows, loop }: Shape, perCampaign = 2) {
	const isDivided = 'perCampaign' in parameters.options;
	const options = { ...parameters.options, ...(isDivided ? { perCampaign } : {}) };
	return { credential, parameters: { ...parameters, options }, items, loop };
}

function resetLatency(latency: () => number) {
	freezeProcessedData(false, latency);
}

const accepting: Behaviour[] = ['accept'];
/** Two retries in the same moment that divide the list in another way than the one before them. */
const BOTH_DIVIDED_OTHERWISE: [Behaviour[], Step[]][] = [
	[
		['accept', 'accept', 'reject'],
		[
			...[
				{ targets: [0], crashAt: undefined, behaviours: accepting, latencies: [0], perCampaign: 2 },
			],
			...[
				{
					targets: [0, 0],
					crashAt: undefined,
					behaviours: accepting,
					latencies: [0],
					perCampaign: 1,
				},
			],
		],
	],
];

test.each(Object.entries(shapes))(
	'retries in any order never send %s twice, and reach every row',
	async (_, shape) => {
		const all = (shape.items ?? rows).map((_row, row) => row);
		await fc.assert(
			fc.asyncProperty(behaviours, fc.array(step, { maxLength: 4 }), async (first, steps) => {
				service.reset();
				resetProcessedData();
				const { failed, unclear, crashes } = await play(shape, first, steps);
				const [original] = failed;
				expect(new Set(acceptedRows()).size).toBe(acceptedRows().length);
				if (original === undefined) return;
				service.decide = () => 'accept';
				const last = await retryAction(original.run, optionsOf(shape));
				const accepted = acceptedRows();
				expect(new Set(accepted).size).toBe(accepted.length);
				if (last.error === undefined) expect([...accepted].sort()).toEqual(all);
				// Of a retry that was interrupted at its first requests, it is not known how it divided the list: then
				// nothing more is sent.
				if (last.error?.message.endsWith('another retry of the execution is running') === true) {
					expect(crashes).toBeGreaterThan(0);
					return;
				}
				// A loop ends with the round that fails; its items are counted from 0 in each.
				if (shape.loop !== undefined || last.error?.message.includes('differs') === true) return;
				const possibly = new Set(rowsNamed(last.error?.description, 'Possibly sent'));
				for (const row of all) expect(accepted.includes(row) || possibly.has(row)).toBe(true);
				for (const row of rowsNamed(last.error?.description, 'Sent'))
					expect(accepted).toContain(row);
				// What the service did with a row in doubt was not clear, or a crash came before it was noted.
				const known = [...possibly].filter((row) => !unclear.has(row));
				const rowsAtOnce = 2 * ('perCampaign' in shape.parameters.options ? 3 : 1);
				expect(known.length).toBeLessThanOrEqual(crashes * rowsAtOnce);
			}),
			{ numRuns: runs(8), examples: BOTH_DIVIDED_OTHERWISE },
		);
	},
	240_000,
);
