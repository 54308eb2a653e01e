import fc from 'fast-check';
import { countBy, difference, intersection } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Sent } from '../../nodes/MessagingService/failure';
import { createCampaign, sendEach } from '../support/actions';
import { resetProcessedData } from '../support/deduplication';
import { retryAction, runAction, type EngineResult } from '../support/engine';
import { anyBehaviour } from '../support/modelRows';
import type { Behaviour, ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { holds } from '../support/runs';
import { shortenWaits } from '../support/waits';

/** What is promised of a retry, over random runs in which almost everything changes between the tries. */

const { service, credential } = modelSuite({ concurrentRequests: 1 });

shortenWaits(100);

const PEOPLE = 12;
const people = Array.from({ length: PEOPLE }, (_, person) => person);
/** Every second one is Brazilian, whose mobile numbers have a 9 that older spellings have not. */
const spelled = (person: number, spelling: number) =>
	(person % 2 === 0
		? ['+4477009000', '0044 7700 9000', '+44 (0)7700-9000']
		: ['+55119812345', '+55 11 8123-45', '0055 (11) 98123-45'])[spelling] +
	String(person).padStart(2, '0');
const numberOf = (person: number) => spelled(person, 0);

/** Whom a request reaches. */
const reachedBy = ({ body }: ModelRequest) => {
	const { contacts, phoneNumber } = body as { contacts?: IDataObject[]; phoneNumber?: string };
	const numbers = contacts?.map((each) => String(each.phoneNumber)) ?? [String(phoneNumber)];
	return numbers.map((number) => Number(number.slice(-2)));
};

/** What the user changes before a try. */
interface Edits {
	optedOut: number[];
	perCampaign: number | undefined;
	spelling: number;
	/** Moves the entries of a typed list, or whom rows reach. */
	shift: number;
	/** Who is not in a typed list, and who has two entries in it. */
	absent: number[];
	twice: number[];
	/** Whether the sending policy allows British numbers only: it refuses every second person. */
	isOnlyBritish: boolean;
	text: string;
	key: string;
	behaviours: Behaviour[];
}

const edits: fc.Arbitrary<Edits> = fc.record({
	optedOut: fc.uniqueArray(fc.nat(PEOPLE - 1), { maxLength: 3 }),
	perCampaign: fc.constantFrom(1, 2, 3, 5, undefined),
	spelling: fc.nat(2),
	shift: fc.nat(5),
	absent: fc.uniqueArray(fc.nat(PEOPLE - 1), { maxLength: 3 }),
	twice: fc.uniqueArray(fc.nat(PEOPLE - 1), { maxLength: 2 }),
	isOnlyBritish: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(false) },
		{ weight: 1, arbitrary: fc.constant(true) },
	),
	text: fc.constantFrom('Sale', 'Sale today'),
	key: fc.constantFrom('old', 'new'),
	behaviours: fc.array(anyBehaviour(4, 2), { minLength: 6, maxLength: 6 }),
});

const rotated = <Each>(list: readonly Each[], shift: number) => [
	...list.slice(shift),
	...list.slice(0, shift),
];

interface Shape {
	items: IDataObject[];
	/** The file of the first item. */
	file?: Buffer;
	parametersFor(edited: Edits): IDataObject;
	/** Of a typed list that is edited: how often each person may be reached. */
	most?: 1 | 2;
	/** Of input items: whom one reaches. */
	personAt?(item: number, edited: Edits): number;
	/** Whether an edit may leave it open who is left: where rows reach somebody else, for example. */
	isUnclear?: true;
}

const common = ({ optedOut, perCampaign, text }: Edits, options: IDataObject = {}) => ({
	message: text,
	sender: 'Shop',
	options: {
		...options,
		...(optedOut.length === 0
			? {}
			: { doNotContactNumbers: optedOut.map((person) => numberOf(person)).join() }),
		...(perCampaign === undefined ? {} : { perCampaign }),
	},
});
const byIndex = (spelling: number, shift = 0) =>
	`={{ ${JSON.stringify(rotated(people, shift).map((person) => spelled(person, spelling)))}[$json.person] }}`;
const movedBy = (shift: number) => (item: number) => rotated(people, shift)[item] as number;
const rows = people.map((person) => ({
	...Object.fromEntries(
		[0, 1, 2, 3, 4, 5].map((by) => [`moved${by}`, numberOf(movedBy(by)(person))]),
	),
	person,
	plain: spelled(person, 0),
	spaced: spelled(person, 1),
	other: spelled(person, 2),
}));

/** People come, go, and have two entries. */
const editedList = (duplicates: 'skip' | 'send') => (edited: Edits) => {
	const listed = [...people, ...edited.twice].filter((each) => !edited.absent.includes(each));
	const numbers = rotated(listed, edited.shift).map((each) => spelled(each, edited.spelling));
	return {
		...{ resource: 'smsCampaign', operation: 'create', ...common(edited, { duplicates }) },
		...{ contactsSource: 'json', contactsJson: JSON.stringify(numbers) },
	};
};

const shapes: Record<string, Shape> = {
	messages: {
		items: rows,
		parametersFor: ({ spelling, ...edited }) => ({
			...{ resource: 'smsMessage', operation: 'send', phoneNumber: byIndex(spelling) },
			...common({ ...edited, spelling, perCampaign: undefined }),
		}),
		personAt: (item) => item,
	},
	'messages of rows that reach others': {
		items: rows,
		parametersFor: ({ spelling, ...edited }) => ({
			...{ resource: 'smsMessage', operation: 'send' },
			phoneNumber: byIndex(spelling, edited.shift),
			...common({ ...edited, spelling, perCampaign: undefined }),
		}),
		personAt: (item, { shift }) => movedBy(shift)(item),
		isUnclear: true,
	},
	'a list of input items': {
		items: rows,
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			phoneNumberField: ['plain', 'spaced', 'other'][edited.spelling],
		}),
		personAt: (item) => item,
	},
	'a list of input items that reach others': {
		items: rows,
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			phoneNumberField: `moved${edited.shift}`,
		}),
		personAt: (item, { shift }) => movedBy(shift)(item),
		isUnclear: true,
	},
	'a typed list': {
		items: [{}],
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			contactsSource: 'json',
			contactsJson: JSON.stringify(
				rotated(people, edited.shift).map((person) => spelled(person, edited.spelling)),
			),
		}),
	},
	'a typed list whose people come and go': {
		items: [{}],
		parametersFor: editedList('skip'),
		most: 1,
	},
	'a typed list with people who get each of their entries': {
		items: [{}],
		parametersFor: editedList('send'),
		most: 2,
		isUnclear: true,
	},
	'a file': {
		items: [{}],
		file: Buffer.from(
			['plain', ...[...people, 0, 5].map((each) => spelled(each, each % 3))].join('\n'),
		),
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', contactsSource: 'file' },
			...common(edited, { duplicates: 'skip' }),
			phoneNumberField: 'plain',
		}),
	},
	'a file whose rows reach others': {
		items: [{}],
		file: Buffer.from(
			[
				'moved0,moved1,moved2,moved3,moved4,moved5',
				...people.map((person) =>
					[0, 1, 2, 3, 4, 5].map((by) => numberOf(movedBy(by)(person))).join(),
				),
			].join('\n'),
		),
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', contactsSource: 'file' },
			...common(edited, { duplicates: 'skip' }),
			phoneNumberField: `moved${edited.shift}`,
		}),
		isUnclear: true,
	},
	'a list for each item': {
		items: [{ first: 0 }, { first: 4 }, { first: 8 }],
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			contactsSource: 'json',
			contactsJson: `={{ ${JSON.stringify(people.map((person) => spelled(person, edited.spelling)))}.slice($json.first, $json.first + 4) }}`,
		}),
	},
	'a list for each item, with people who move from one to another': {
		items: [{ first: 0 }, { first: 4 }, { first: 8 }],
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			contactsSource: 'json',
			contactsJson: `={{ ${JSON.stringify(rotated(people, edited.shift).map(numberOf))}.slice($json.first, $json.first + 4) }}`,
		}),
		isUnclear: true,
	},
};

interface Played {
	last: EngineResult;
	/** What it was edited to. */
	edited: Edits;
	/** Those to whom a request went without a clear response. */
	unclear: Set<number>;
	/** Those who were reached though that try leaves them out, or its policy refuses them. */
	wrong: number[];
}

/** Whom a try must not reach. */
const leftOutOf = ({ optedOut, absent, isOnlyBritish }: Edits, { most }: Shape) => [
	...optedOut,
	...(most === undefined ? [] : absent),
	...people.filter((person) => isOnlyBritish && person % 2 === 1),
];

async function play(shape: Shape, tries: readonly Edits[]): Promise<Played> {
	const { items, file, parametersFor } = shape;
	const unclear = new Set<number>();
	const wrong: number[] = [];
	let last: EngineResult | undefined;
	let lastEdits: Edits | undefined;
	for (const [index, edited] of tries.entries()) {
		let requests = 0;
		lastEdits = edited;
		const isLast = index === tries.length - 1;
		service.decide = (request) => {
			wrong.push(...intersection(reachedBy(request), leftOutOf(edited, shape)));
			const behaviour = edited.behaviours[requests++ % edited.behaviours.length] as Behaviour;
			if (isLast) return 'accept';
			if (!['accept', 'reject', 'busy'].includes(behaviour)) {
				for (const person of reachedBy(request)) unclear.add(person);
			}
			return behaviour;
		};
		const policy = { sendingPolicy: true, allowedCountries: edited.isOnlyBritish ? 'GB' : '' };
		const options = {
			credential: { ...credential, authentication: 'bearer', token: edited.key, ...policy },
			parameters: parametersFor(edited),
			items,
			...(file === undefined ? {} : { files: [file] }),
			...(isLast ? { onError: 'continueErrorOutput' as const } : {}),
		};
		last = last === undefined ? await runAction(options) : await retryAction(last.run, options);
		if (last.error === undefined) break;
	}
	return { last: last as EngineResult, edited: lastEdits as Edits, unclear, wrong };
}

/** Of input items: those of a state. */
function peopleOf(sent: Sent, last: EngineResult, edited: Edits, { personAt }: Shape): number[] {
	const all = [...last.items, ...last.errorItems].filter(({ json }) => json.sent === sent);
	const rowsOfAll = all.flatMap(({ pairedItem }) => pairedItem as { item: number }[]);
	return personAt === undefined ? [] : rowsOfAll.map(({ item }) => personAt(item, edited));
}

/** Of input items: those that do not come out, other than those of people who are left out. */
function lostItems({ items, errorItems }: EngineResult, edited: Edits, shape: Shape): number[] {
	const pairs = [...items, ...errorItems].flatMap(
		({ pairedItem }) => pairedItem as { item: number }[],
	);
	const left = leftOutOf(edited, shape);
	const told = pairs.map(({ item }) => item);
	return difference(people, told).filter(
		(item) => !left.includes(shape.personAt?.(item, edited) ?? NaN),
	);
}

/** Of input items: whom those that were not sent name, and whom they are about. */
function namedBy({ errorItems }: EngineResult, edited: Edits, { personAt }: Shape) {
	if (personAt === undefined) return { named: [], own: [] };
	const pairs = errorItems.map(({ json, pairedItem }) => ({
		named: Number(String(json.phoneNumber).slice(-2)),
		own: personAt((pairedItem as { item: number }).item, edited),
	}));
	return { named: pairs.map(({ named }) => named), own: pairs.map(({ own }) => own) };
}

test.each(Object.entries(shapes))(
	'a retry reaches everybody whom no try has reached, nobody twice, and says of each item whom it is about: %s',
	async (_, shape) => {
		await holds(
			fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: 5 }), async (tries) => {
				service.reset();
				resetProcessedData();
				const { last, edited, unclear, wrong } = await play(shape, tries);
				expect(wrong).toEqual([]);
				const reached = service.accepted.flatMap(reachedBy);
				expect(Math.max(0, ...Object.values(countBy(reached)))).toBeLessThanOrEqual(
					shape.most ?? 1,
				);
				expect(last.error).toBeUndefined();
				const { named, own } = namedBy(last, edited, shape);
				expect(named).toEqual(own);
				if (shape.personAt !== undefined) expect(lostItems(last, edited, shape)).toEqual([]);
				expect(difference(peopleOf('yes', last, edited, shape), reached)).toEqual([]);
				if (shape.isUnclear) return;
				expect(difference(peopleOf('possibly', last, edited, shape), [...unclear])).toEqual([]);
				// One whom the policy refuses holds up a whole list.
				const left = leftOutOf(edited, shape);
				if (!edited.isOnlyBritish) {
					expect(difference(people, reached, [...unclear], left)).toEqual([]);
				}
				// Where the service has told everything, the node can tell everything: a list is possibly sent
				// if only part of it was.
				const states = [...last.items, ...last.errorItems].map(({ json }) => json.sent);
				const isPart = shape.personAt === undefined && edited.isOnlyBritish;
				if (unclear.size === 0 && !isPart) expect(states).not.toContain('possibly');
			}),
			4,
		);
	},
	600_000,
);

const nationals = ['07700 900101', '07700 900102', '07700 900103', '07700 900104'];
const nationalRows = nationals.map((phoneNumber) => ({ phoneNumber }));
interface Source {
	items: IDataObject[];
	file?: Buffer;
	parameters: IDataObject;
}
const messages: Source = { items: nationalRows, parameters: sendEach };
/** Where national numbers can come from. */
const sources: Record<string, Source> = {
	messages,
	'a list of input items': { items: nationalRows, parameters: createCampaign },
	'a typed list': {
		items: [{}],
		parameters: {
			...createCampaign,
			contactsSource: 'list',
			contacts: { entry: nationalRows },
		},
	},
	'a JSON list': {
		items: [{}],
		parameters: {
			...createCampaign,
			contactsSource: 'json',
			contactsJson: JSON.stringify(nationals),
		},
	},
	'a file': {
		items: [{}],
		file: Buffer.from(['phoneNumber', ...nationals].join('\n')),
		parameters: { ...createCampaign, contactsSource: 'file' },
	},
};

/** Sends with one Number Format until a request is refused, and retries with the other. */
async function retryInFormat(
	{ items, file, parameters }: Source,
	formats: readonly [string, string],
) {
	service.reset();
	resetProcessedData();
	let requests = 0;
	service.decide = () => (++requests === 2 ? 'reject' : 'accept');
	const optionsFor = (numberFormat: string) => ({
		credential: { ...credential, defaultCountry: 'GB' },
		parameters: { ...parameters, options: { numberFormat, perCampaign: 2 } },
		items,
		...(file === undefined ? {} : { files: [file] }),
	});
	const failed = await runAction(optionsFor(formats[0]));
	return await retryAction(failed.run, optionsFor(formats[1]));
}

describe.each(Object.entries(sources))(
	'Number Format changed before the retry: %s',
	(_, source) => {
		it.each([
			['international', 'asEntered'],
			['asEntered', 'international'],
		])('reaches nobody twice, from %s to %s', async (...formats) => {
			const { error } = await retryInFormat(source, formats as [string, string]);
			const reached = service.accepted.flatMap(reachedBy);
			expect(new Set(reached).size).toBe(reached.length);
			if (reached.length < nationals.length) expect(error?.message).toContain('The items differ');
		});
	},
);

test('a message that an earlier try has sent says so, for the text may be another one now', async () => {
	const { items } = await retryInFormat(messages, ['international', 'international']);
	expect(items.map(({ json }) => json.reason)).toEqual([
		'Accepted by the service in an earlier try',
		...Array.from({ length: 3 }, () => 'Accepted by the service'),
	]);
});
