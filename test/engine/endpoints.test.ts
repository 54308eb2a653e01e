import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { actionType } from '../support/engine';
import { endpoints } from '../support/endpoints';

const repository = process.cwd();

/** The resource/operation pairs of the node's menus. */
const pairs = actionType.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) =>
		(displayOptions?.show?.resource ?? []).flatMap((resource) =>
			options.flatMap((option) =>
				'value' in option ? [`${String(resource)} ${String(option.value)}`] : [],
			),
		),
	);

/** Everything below `operationId` and `x-operation-without-body` in the paths of openapi.yaml. */
function operationIds(): string[] {
	const text = readFileSync(path.join(repository, 'sandbox', 'openapi.yaml'), 'utf8');
	const { paths } = parse(text, { maxAliasCount: -1 }) as {
		paths: Record<string, Record<string, Record<string, unknown>>>;
	};
	return Object.values(paths)
		.flatMap((item) => Object.values(item))
		.flatMap((operation) => [operation.operationId, operation['x-operation-without-body']])
		.filter((id): id is string => typeof id === 'string');
}

it('lists the pairs of the menus, all 25', () => {
	expect(Object.keys(endpoints).sort()).toEqual([...pairs].sort());
	expect(pairs).toHaveLength(25);
});

it('lists every endpoint of openapi.yaml, and no other', () => {
	expect([...new Set(Object.values(endpoints).flat())].sort()).toEqual(operationIds().sort());
});

it.each(pairs)('%s has its endpoints, and tests that hold its requests against them', (pair) => {
	// Check works offline.
	if (pair !== 'phoneNumber check') expect(endpoints[pair]?.length).toBeGreaterThan(0);
	const [resource, operation] = pair.split(' ');
	const name = operation === 'getSummary' ? 'summaries' : resource;
	const file = path.join(repository, `test/engine/${name}.test.ts`);
	expect(readFileSync(file, 'utf8')).toContain(
		`describeOperation('${resource}', '${operation}', () => {`,
	);
});
