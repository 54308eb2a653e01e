import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { endpoints } from '../support/endpoints';
import { pairs } from '../support/everyOperation';

/** Everything below `operationId` and `x-operation-without-body` in the paths of openapi.yaml. */
function operationIds(): string[] {
	const text = readFileSync('sandbox/openapi.yaml', 'utf8');
	const { paths } = parse(text, { maxAliasCount: -1 }) as {
		paths: Record<string, Record<string, Record<string, unknown>>>;
	};
	return Object.values(paths)
		.flatMap((item) => Object.values(item))
		.flatMap((operation) => [operation.operationId, operation['x-operation-without-body']])
		.filter((id): id is string => typeof id === 'string');
}

it('every operation of the menus has its endpoints', () => {
	// Check works offline.
	const names = pairs.map(({ resource, operation }) => `${resource} ${operation}`);
	expect(Object.keys(endpoints).sort()).toEqual([...names, 'phoneNumber check'].sort());
	for (const name of names) expect(endpoints[name]?.length).toBeGreaterThan(0);
});

it('every endpoint of openapi.yaml has an operation', () => {
	expect([...new Set(Object.values(endpoints).flat())].sort()).toEqual(operationIds().sort());
});
