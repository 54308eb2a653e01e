import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
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
	text: string;
	key: string;
	behaviours: Behaviour[];
}

const edits: fc.Arbitrary<Edits> = fc.record({
	optedOut: fc.uniqueArray(fc.nat(PEOPLE - 1), { maxLength: 3 }),
	perCampaign: fc.constantFrom(1, 2, 3, 5, undefined),
	spelling: fc.nat(2),
	shift: fc.nat(5),
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
	parametersFor(edited: Edits): IDataObject;
	/** Of input items: whom one reaches. */
	personAt?(item: number, edited: Edits): number;
	/** Whether rows reach somebody else after an edit: then the node cannot tell who is left. */
	isMoved?: true;
}

const common = ({ optedOut, perCampaign, text }: Edits) => ({
	message: text,
	sender: 'Shop',
	options: {
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
		isMoved: true,
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
		isMoved: true,
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
	'a list for each item': {
		items: [{ first: 0 }, { first: 4 }, { first: 8 }],
		parametersFor: (edited) => ({
			...{ resource: 'smsCampaign', operation: 'create', ...common(edited) },
			contactsSource: 'json',
			contactsJson: `={{ ${JSON.stringify(people.map((person) => spelled(person, edited.spelling)))}.slice($json.first, $json.first + 4) }}`,
		}),
	},
};

interface Played {
	last: EngineResult;
	/** What it was edited to. */
	edited: Edits;
	/** Those to whom a request went without a clear response. */
	unclear: Set<number>;
}

async function play({ items, parametersFor }: Shape, tries: readonly Edits[]): Promise<Played> {
	const unclear = new Set<number>();
	let last: EngineResult | undefined;
	let lastEdits: Edits | undefined;
	for (const [index, edited] of tries.entries()) {
		let requests = 0;
		lastEdits = edited;
		const isLast = index === tries.length - 1;
		service.decide = (request) => {
			const behaviour = edited.behaviours[requests++ % edited.behaviours.length] as Behaviour;
			if (isLast) return 'accept';
			if (!['accept', 'reject', 'busy'].includes(behaviour)) {
				for (const person of reachedBy(request)) unclear.add(person);
			}
			return behaviour;
		};
		const options = {
			credential: { ...credential, authentication: 'bearer', token: edited.key },
			parameters: parametersFor(edited),
			items,
			...(isLast ? { onError: 'continueErrorOutput' as const } : {}),
		};
		last = last === undefined ? await runAction(options) : await retryAction(last.run, options);
		if (last.error === undefined) break;
	}
	return { last: last as EngineResult, edited: lastEdits as Edits, unclear };
}

test.each(Object.entries(shapes))(
	'a retry reaches everybody whom no try has reached, nobody twice, and tells of nobody else: %s',
	async (_, shape) => {
		await holds(
			fc.asyncProperty(fc.array(edits, { minLength: 2, maxLength: 5 }), async (tries) => {
				service.reset();
				const { last, edited, unclear } = await play(shape, tries);
				const reached = service.accepted.flatMap(reachedBy);
				expect(new Set(reached).size).toBe(reached.length);
				if (last.error !== undefined) return;
				const told = last.items.filter(({ json }) => json.sent === 'yes');
				for (const { item } of told.flatMap(({ pairedItem }) => pairedItem as { item: number }[])) {
					if (shape.personAt) expect(reached).toContain(shape.personAt(item, edited));
				}
				if (shape.isMoved) return;
				const left = new Set(tries.flatMap(({ optedOut }) => optedOut));
				for (const person of people) {
					const isKnown = reached.includes(person) || unclear.has(person) || left.has(person);
					expect(isKnown).toBe(true);
				}
				// Where the service has told everything, the node can tell everything.
				const states = [...last.items, ...last.errorItems].map(({ json }) => json.sent);
				if (unclear.size === 0) expect(states).not.toContain('possibly');
			}),
			10,
		);
	},
	600_000,
);
