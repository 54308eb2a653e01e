import { resources } from '../../nodes/MessagingService/resources';
import { rank, type Candidate } from './support/ranker';
import phrasings from './toolPhrasings.json';

/** What people ask for, by resource and operation. */
const asked = Object.entries<string[]>(phrasings);
const operations = resources.flatMap(({ value, name, operations: all }) =>
	all.map((operation) => ({
		...operation,
		name: `${value} ${operation.value}`,
		title: `${name} ${operation.name} ${operation.action}`,
	})),
);
const known = new Set(operations.map(({ name }) => name));

/** The share of all requests whose first match is the right operation. */
function shareFound(candidates: readonly Candidate[]): number {
	const results = asked
		.filter(([name]) => known.has(name))
		.flatMap(([name, queries]) => queries.map((query) => rank(query, candidates)[0] === name));
	return results.filter(Boolean).length / results.length;
}

/** How many of the requests must find their operation by its names and its description. */
const WANTED_SHARE = 0.95;

describe('the words of the operations', () => {
	test('are asked for in at least 100 ways, each operation in several', () => {
		const queries = asked.flatMap(([, list]) => list);
		expect(queries.length).toBeGreaterThanOrEqual(100);
		expect(new Set(queries).size).toBe(queries.length);
		for (const name of known) {
			const list = asked.find(([key]) => key === name)?.[1] ?? [];
			expect({ name, enough: list.length >= 3 }).toEqual({ name, enough: true });
		}
	});

	test('lead to the right operation', () => {
		const candidates = operations.map(({ name, title, description }) => ({
			name,
			title,
			text: description,
		}));
		expect(shareFound(candidates)).toBeGreaterThanOrEqual(WANTED_SHARE);
	});

	test('are needed: by the actions alone, far fewer are found', () => {
		const candidates = operations.map(({ name, action }) => ({ name, title: action, text: '' }));
		const share = shareFound(candidates);
		expect(share).toBeGreaterThan(0.5);
		expect(share).toBeLessThan(WANTED_SHARE);
	});
});
