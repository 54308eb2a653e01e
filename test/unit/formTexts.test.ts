import { difference, escapeRegExp, uniqBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { name as packageName } from '../../package.json';
import { resources } from '../../nodes/MessagingService/resources';

/** What the texts of a form speak of belongs to that form. */

const { properties } = new MessagingService().description;
const credential = new MessagingServiceApi().properties;

/** A field, a choice of a menu, or what a list adds. */
interface Entry {
	name: string;
	value?: unknown;
	displayName?: string;
	type?: string;
	description?: string;
	hint?: string;
	builderHint?: { propertyHint?: string };
	options?: readonly Entry[];
	values?: readonly Entry[];
	modes?: readonly { name: string }[];
}

const within = (entry: Entry): Entry[] => [
	entry,
	...[...(entry.options ?? []), ...(entry.values ?? [])].flatMap(within),
];

const isNotice = ({ type }: Entry) => type === 'notice';

const namesOf = (form: readonly Entry[]) =>
	form
		.flatMap(within)
		.filter((entry) => !isNotice(entry))
		.map(({ name, displayName }) => displayName ?? name);

const textsOf = (form: readonly Entry[]) =>
	form
		.flatMap(within)
		.flatMap((entry) => [
			isNotice(entry) ? entry.displayName : undefined,
			...[entry.description, entry.hint, entry.builderHint?.propertyHint],
		])
		.filter((text) => text !== undefined);

const isOf = ({ displayOptions }: INodeProperties, resource: string, operation: string) =>
	displayOptions?.show?.resource?.includes(resource) === true &&
	displayOptions.show.operation?.includes(operation) === true;

const operations = resources.flatMap(({ value: resource, operations: each }) =>
	each.map(({ value, name }) => ({
		...{ resource, name, title: `${resource} ${value}` },
		form: properties.filter((field) => isOf(field, resource, value)),
	})),
);

const forms: [title: string, form: INodeProperties[]][] = [
	...operations.map(({ title, form }) => [title, form] as [string, INodeProperties[]]),
	['webhook trigger', new MessagingServiceTrigger().description.properties],
	['poll trigger', new MessagingServicePollTrigger().description.properties],
	['credential', credential],
];

describe('what a text of the form names is a field or a choice of that form', () => {
	/** Named in any form: nodes and their operations, what n8n calls its own, words that no form has. */
	const anywhere = [
		...resources.map(({ name }) => name),
		...operations.map(({ name }) => name),
		...['Messaging Service Trigger', 'Execute Once', 'On Error', 'Settings', 'Options'],
		// Four fields of the credential begin with it.
		...['Sending Hours', 'Basic authentication', 'JSON Lines', 'Canadian', 'Markdown'],
	];

	/** Words that are written like the name of a field, once the names that are known are taken out. */
	function unknownIn(text: string, known: readonly string[]): string[] {
		const plain = text.replace(/expr\('.*'\)|"[^"]*"/g, '');
		const byLength = [...known].sort((a, b) => b.length - a.length);
		const rest = byLength.reduce(
			(left, name) => left.replaceAll(new RegExp(`(?<!\\w)${escapeRegExp(name)}(?!\\w)`, 'g'), '_'),
			plain,
		);
		return (
			rest.match(
				/(?<=(?:[a-z_,]|_:) \(?)[A-Z][a-z]+\b( [A-Z][a-z]+)*|[A-Z][a-z]+( [A-Z][a-z]+)+/g,
			) ?? []
		);
	}

	test.each(forms)('%s', (_, form) => {
		const own = [...namesOf(form), ...anywhere];
		const added = form.find(({ name }) => name === 'options')?.options ?? [];
		for (const text of textsOf(form)) {
			const isOfCredential = text.includes('credential');
			const known = isOfCredential ? [...own, ...namesOf(credential)] : own;
			expect([text, unknownIn(text, known)]).toEqual([text, []]);
			if (!/ in Options\b/.test(text)) continue;
			expect(namesOf(added as Entry[]).filter((name) => text.includes(name))).not.toEqual([]);
		}
	});
});

/** Menus in the order of codes, of a day or of what people need first. */
const ORDERED = new Set([
	...['options', 'output', 'outputFields', 'outcomes', 'stages', 'statuses'],
	...['authentication', 'sendingDays', 'defaultCountry'],
]);

test('the entries of a menu or list differ in name and value, and are in alphabetical order', () => {
	const lists = forms.flatMap(([, form]) => form.flatMap(within));
	expect(lists.length).toBeGreaterThan(1000);
	const labelsOf = ({ options = [] }: Entry) =>
		options.map(({ name, displayName = name }) => displayName);
	const isTwice = (entries: unknown[]) => new Set(entries).size < entries.length;
	const twice = lists.filter(
		(list) =>
			isTwice(labelsOf(list)) ||
			isTwice((list.options ?? []).map(({ value, name }) => value ?? name)),
	);
	expect(twice.map(labelsOf)).toEqual([]);
	for (const list of lists.filter(({ name }) => !ORDERED.has(name))) {
		expect(labelsOf(list)).toEqual(labelsOf(list).sort((a, b) => a.localeCompare(b)));
	}
});

/** What a notice may speak of, and the fields that it may then stand beside. */
const SUBJECTS: [
	subject: RegExp,
	isHere: (notice: INodeProperties, resource: string) => boolean,
][] = [
	[/\bagents?\b/i, ({ displayOptions }) => displayOptions?.show?.['@tool']?.[0] === true],
	[/\bwebhooks?\b|\bevents?\b/i, (_, resource) => resource === 'webhook'],
	[/\bcampaigns?\b/i, (_, resource) => resource.endsWith('Campaign')],
	[/\bstored\b/i, (_, resource) => resource === 'phoneNumberStorage'],
];

describe('a notice stands where it belongs', () => {
	test.each(operations)('$title', ({ resource, form }) => {
		const notices = form.filter(isNotice);
		const labels = namesOf(form);
		expect(notices).toEqual(uniqBy(notices, 'displayName'));
		for (const notice of notices) {
			const { displayName: text } = notice;
			expect(text).toMatch(/^[A-Z].{20,}\.$/);
			const subjects = SUBJECTS.filter(([subject]) => subject.test(text));
			expect([text, subjects.length > 0]).toEqual([text, true]);
			expect(subjects.filter(([, isHere]) => !isHere(notice, resource))).toEqual([]);
			const [, meant] = /\bThis ([A-Z]\w*)/.exec(text) ?? [];
			if (meant !== undefined) expect(labels).toContain(meant);
		}
	});

	test('and says what no other one says', () => {
		const notices = uniqBy(properties.filter(isNotice), 'name');
		expect(notices.length).toBeGreaterThan(2);
		expect(notices).toEqual(uniqBy(notices, 'displayName'));
	});
});

describe("what n8n's AI builder is told", () => {
	const [action, trigger, poll] = [
		new MessagingService().description,
		new MessagingServiceTrigger().description,
		new MessagingServicePollTrigger().description,
	];
	const typeOf = ({ name }: { name: string }) => `${packageName}.${name}`;

	test.each([
		[action.name, action, [trigger, poll]],
		[trigger.name, trigger, [poll]],
		[poll.name, poll, [trigger]],
	])('of nodes beside %s is true of these', (_, { builderHint }, others) => {
		const related = builderHint?.relatedNodes ?? [];
		expect(related.map(({ nodeType }) => nodeType)).toEqual(others.map(typeOf));
	});

	test('names operations that campaigns have, and nodes that n8n has', () => {
		// As n8n 2.41 names them.
		const nodes = ['Loop Over Items', 'Split In Batches', 'Aggregate', 'Wait', 'If'];
		for (const { content, displayOptions } of action.builderHint?.extraTypeDefContent ?? []) {
			const own = operations.filter(({ resource }) =>
				displayOptions?.show?.resource?.includes(resource),
			);
			const steps = content.match(/(?<=: |, |add |or |one )[A-Z][a-z]+( [A-Z][a-z]+)*/g) ?? [];
			expect(steps.length).toBeGreaterThan(6);
			expect(
				difference(
					steps,
					nodes,
					own.map(({ name }) => name),
				),
			).toEqual([]);
		}
		const named = /\b([A-Z]\S+ [A-Z]\S+): ([A-Z][a-z]+)/.exec(action.builderHint?.searchHint ?? '');
		const [, resourceName, name] = named ?? [];
		const { value } = resources.find((each) => each.name === resourceName) ?? {};
		expect(operations).toContainEqual(expect.objectContaining({ resource: value, name }));
	});

	test('to choose, in quotes, is a choice of the field', () => {
		const choosing = properties
			.flatMap(within)
			.filter(({ type }) => type === 'options' || type === 'resourceLocator')
			.map(({ builderHint, options = [], modes = [] }) => ({
				quoted: [...(builderHint?.propertyHint ?? '').matchAll(/"(\w+)"/g)].map(([, word]) => word),
				choices: [...options.map((each) => each.value), ...modes.map(({ name }) => name)],
			}))
			.filter(({ quoted }) => quoted.length > 0);
		expect(choosing.length).toBeGreaterThan(4);
		expect(
			choosing.filter(({ quoted, choices }) => difference(quoted, choices).length > 0),
		).toEqual([]);
	});
});
