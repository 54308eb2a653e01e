import fc from 'fast-check';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { resetProcessedData } from '../support/deduplication';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import { anyBehaviour, namesIn, rowsNamed } from '../support/modelRows';
import type { Behaviour, ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { voiceParameters } from '../support/voiceCampaign';
import { holds } from '../support/runs';
import { shortenWaits } from '../support/waits';

const { service, credential } = modelSuite();

shortenWaits(100);

const SMS = { resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' };
const listOf = (names: string) => `={{ ${names} }}`;

/** Every sending operation, with every source of recipients. */
const operations: Record<string, IDataObject> = {
	send: {
		resource: 'smsMessage',
		operation: 'send',
		phoneNumber: '={{ $json.phoneNumber }}',
		message: '={{ $json.name }}',
		sender: 'Shop',
	},
	smsFromItems: SMS,
	smsFromList: {
		...SMS,
		contactsSource: 'list',
		contacts: {
			entry: [
				{ phoneNumber: '={{ $json.phoneNumber }}', name: '={{ $json.name }}' },
				{ phoneNumber: '={{ $json.second }}', name: '={{ $json.name }}' },
			],
		},
	},
	smsFromJson: {
		...SMS,
		contactsSource: 'json',
		contactsJson: listOf(
			'[{ phoneNumber: $json.phoneNumber, name: $json.name }, { phoneNumber: $json.second, name: $json.name }]',
		),
	},
	voiceFromItems: { ...voiceParameters, operation: 'create' },
	voiceFromJson: {
		...voiceParameters,
		operation: 'create',
		phoneNumbersSource: 'json',
		phoneNumbersJson: listOf('[{ number: $json.phoneNumber, name: $json.name }]'),
	},
	voiceForClient: { ...voiceParameters, operation: 'createForClient' },
	update: {
		resource: 'smsCampaign',
		operation: 'update',
		campaignId: '={{ $json.id }}',
		updateFields: { message: '={{ $json.name }}' },
	},
	postById: { resource: 'smsCampaign', operation: 'postById', campaignId: '={{ $json.id }}' },
};

/** What is wrong with a row, if anything is. */
type Flaw = 'none' | 'noNumber' | 'duplicate';

/** Requests of a cancelled run may arrive during the next one: their rows are told apart. */
let lastRun = 0;

/** The rows of requests that the service has received in this run. */
const received = new Set<number>();

const rowsOf = (flaws: readonly Flaw[]) =>
	flaws.map((flaw, row) => ({
		id: `run${lastRun}row-${row}`,
		name: `run${lastRun}row-${row}`,
		second: `+44770090010${row}`,
		phoneNumber: flaw === 'noNumber' ? '' : `+44770090000${flaw === 'duplicate' ? 0 : String(row)}`,
	}));

/** The rows that an accepted request stands for, one entry for each recipient. */
function rowsOfRequest(request: ModelRequest): number[] {
	return namesIn(request).flatMap((name) => {
		const [, runNumber, row] = /run(\d+)row-(\d+)/.exec(name) ?? [];
		return Number(runNumber) === lastRun ? [Number(row)] : [];
	});
}

const pairedRows = ({ pairedItem }: INodeExecutionData) =>
	[pairedItem].flat().map((paired) => (typeof paired === 'object' ? paired.item : -1));

const scenario = fc.record({
	name: fc.constantFrom(...Object.keys(operations)),
	onError: fc.constantFrom<INode['onError']>(
		'continueErrorOutput',
		'continueRegularOutput',
		'stopWorkflow',
	),
	flaws: fc.array(
		fc.oneof(
			{ weight: 6, arbitrary: fc.constant<Flaw>('none') },
			{ weight: 1, arbitrary: fc.constantFrom<Flaw>('noNumber', 'duplicate') },
		),
		{ minLength: 1, maxLength: 7 },
	),
	unusable: fc.constantFrom('stop', 'skip'),
	duplicates: fc.constantFrom('stop', 'skip', 'send'),
	perCampaign: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
	requestsAtOnce: fc.integer({ min: 1, max: 3 }),
	retryOnFail: fc.boolean(),
	cancelAt: fc.option(fc.nat(4), { nil: undefined, freq: 5 }),
	behaviours: fc.array(anyBehaviour(6, 4), { minLength: 12, maxLength: 12 }),
	/** Of each retry from the list of executions. */
	retries: fc.array(fc.array(anyBehaviour(3, 1), { minLength: 4, maxLength: 4 }), { maxLength: 2 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

async function play(played: Scenario): Promise<EngineResult> {
	const { name, onError, flaws, requestsAtOnce, perCampaign, retryOnFail, cancelAt } = played;
	service.reset();
	// Marks of a cancelled run would refuse the retry of a later one with the same people.
	resetProcessedData();
	lastRun++;
	const hasRecipients = /From|ForClient/.test(name);
	let requests = 0;
	let cancel: (() => void) | undefined;
	const cancelled = new Promise<void>((resolve) => (cancel = resolve));
	received.clear();
	service.decide = (request) => {
		for (const row of rowsOfRequest(request)) received.add(row);
		if (requests === cancelAt) cancel?.();
		return played.behaviours[requests++ % played.behaviours.length] as Behaviour;
	};
	const own = operations[name] as IDataObject | undefined;
	const options = {
		...(own?.options as IDataObject | undefined),
		...(hasRecipients ? { unusable: played.unusable, duplicates: played.duplicates } : {}),
		...(hasRecipients && perCampaign !== undefined ? { perCampaign } : {}),
	};
	const settings = {
		credential: { ...credential, concurrentRequests: requestsAtOnce },
		parameters: { ...own, options },
		items: rowsOf(flaws),
		onError,
		settings: retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 1 } : {},
		...(cancelAt === undefined ? {} : { cancel: cancelled }),
	};
	let result = await runAction(settings);
	// Nothing is kept of a cancelled execution.
	for (const behaviours of cancelAt === undefined ? played.retries : []) {
		if (result.error === undefined) break;
		let next = 0;
		service.decide = (request) => {
			for (const row of rowsOfRequest(request)) received.add(row);
			return behaviours[next++ % behaviours.length] ?? 'accept';
		};
		result = await retryAction(result.run, settings);
	}
	return result;
}

/** How often each row was accepted; a list of two gives a row twice. */
function acceptedCounts(): Map<number, number> {
	const counts = new Map<number, number>();
	for (const row of service.accepted.flatMap(rowsOfRequest)) {
		counts.set(row, (counts.get(row) ?? 0) + 1);
	}
	return counts;
}

/** The items of which the error says what of their list was sent: of a single item, without its number. */
function listsSentInPart(description: string, items: number): number[] {
	if (items === 1) return /sent: entr[^.]* of the list|Sent in part/.test(description) ? [0] : [];
	const found = description.matchAll(/Item (\d+): (?:Sent in part|Possibly sent)/g);
	return [...found].map(([, item]) => Number(item));
}

/** No row is accepted more often than it has recipients. */
function expectNothingTwice(name: string) {
	const most = /^sms(FromList|FromJson)$/.test(name) ? 2 : 1;
	for (const count of acceptedCounts().values()) expect(count).toBeLessThanOrEqual(most);
}

test('every row leaves by one branch once, and says truly whether it was sent', async () => {
	await holds(
		fc.asyncProperty(scenario, async (played) => {
			const { items, errorItems, error, run } = await play(played);
			expectNothingTwice(played.name);
			const accepted = acceptedCounts();
			const all = played.flaws.map((_, row) => row);
			if (error === undefined) expect(run.status).toBe('success');
			else {
				const sent = rowsNamed(error.description, 'Sent');
				const open = [
					...rowsNamed(error.description, 'Possibly sent'),
					...listsSentInPart(error.description ?? '', played.flaws.length),
				];
				const claimsNothing = /nothing was sent/i.test(error.description ?? '');
				expect(claimsNothing && accepted.size + sent.length + open.length > 0).toBe(false);
				for (const row of accepted.keys()) expect([...sent, ...open]).toContain(row);
				for (const row of sent) expect([...accepted.keys()]).toContain(row);
				for (const row of rowsNamed(error.description, 'Possibly sent')) {
					expect(received.has(row) || played.cancelAt !== undefined).toBe(true);
				}
				return;
			}
			const isFailed = ({ json }: INodeExecutionData) => json.error !== undefined;
			const succeeded = items.filter((item) => !isFailed(item));
			const failed = [...items.filter(isFailed), ...errorItems];
			const sentRows = new Set(succeeded.flatMap(pairedRows));
			const failedRows = failed.flatMap(pairedRows);
			const skippedRows = succeeded.flatMap(({ json }) =>
				((json.skipped ?? []) as { itemIndex: number }[]).map(({ itemIndex }) => itemIndex),
			);
			// Entries of a list are no rows.
			const skipped = /Items$|ForClient$/.test(played.name) ? skippedRows : [];
			if (played.onError === 'continueErrorOutput') {
				expect(items.filter(isFailed)).toEqual([]);
				expect(skipped).toEqual([]);
			} else expect(errorItems).toEqual([]);
			if (played.onError === 'stopWorkflow') expect(failed).toEqual([]);
			expect([...sentRows, ...failedRows, ...skipped].sort((a, b) => a - b)).toEqual(all);
			for (const { json } of succeeded) expect(json.sent).toBe('yes');
			const possibly = failed.filter(({ json }) => json.sent === 'possibly').flatMap(pairedRows);
			for (const { json } of failed) {
				expect(['no', 'possibly']).toContain(json.sent);
				// A row that was left out is no failure.
				const texts = json.skipped === true ? [json.reason] : [json.error, json.description];
				for (const text of texts) expect(typeof text).toBe('string');
			}
			for (const row of possibly) expect([...received]).toContain(row);
			for (const row of sentRows) expect([...accepted.keys()]).toContain(row);
			for (const row of accepted.keys()) expect([...sentRows, ...possibly]).toContain(row);
		}),
		20,
	);
}, 240_000);
