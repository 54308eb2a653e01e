import { existsSync, readFileSync } from 'node:fs';
import type { INodeProperties } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { linesOfForms } from '../../scripts/savedWorkflows.mts';

const RECORD = 'test/unit/support/savedWorkflows.txt';

/** The same of the last version on npm, put there when it is published, and never changed otherwise. */
const PUBLISHED = 'test/unit/support/publishedWorkflows.txt';

/** Each line with the node and version that it belongs to; a menu's values, which may be added to, apart. */
function entriesOf(lines: readonly string[]): { id: string; values: string[] }[] {
	let node = '';
	return lines.map((line) => {
		if (!line.startsWith(' ')) node = line;
		const [, values = ''] = /ptions \[(.*?)\]/.exec(line) ?? [];
		return { id: `${node}${line.replace(`[${values}]`, '')}`, values: values.split(' ') };
	});
}

/** What a published version had and its nodes no longer have. */
function lost(published: readonly string[], current: readonly string[]): string[] {
	const found = new Map(entriesOf(current).map(({ id, values }) => [id, values]));
	return entriesOf(published)
		.filter(({ id, values }) => !values.every((value) => found.get(id)?.includes(value)))
		.map(({ id }) => id);
}

const textOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
const credential = new MessagingServiceApi();
const current = linesOfForms([
	...[new MessagingService(), new MessagingServiceTrigger(), new MessagingServicePollTrigger()].map(
		({ description }) => description,
	),
	{ name: credential.name, version: 1, properties: credential.properties },
]);

test('saved workflows and credentials find their parameters, values and defaults (if a change is meant: npm run docs)', () => {
	expect(current).toEqual(textOf(RECORD));
});

describe('after a version is published', () => {
	const limit = (initial: number, versions?: unknown[]) =>
		({
			...{ displayName: 'Limit', name: 'limit', type: 'number', default: initial },
			...(versions && { displayOptions: { show: { '@version': versions } } }),
		}) as INodeProperties;
	const linesOfNode = (version: number | number[], ...properties: INodeProperties[]) =>
		linesOfForms([{ name: 'node', version, properties }]);
	const published = linesOfNode(1, limit(50));

	test('its nodes keep the fields, menu values and defaults that it had', () => {
		expect(lost(existsSync(PUBLISHED) ? textOf(PUBLISHED) : [], current)).toEqual([]);
	});

	test('another default in the same version of the node is found', () => {
		expect(lost(published, linesOfNode(1, limit(100)))).toHaveLength(1);
		expect(lost(published, linesOfNode([1, 1.1], limit(100)))).toHaveLength(1);
	});

	test('another default belongs into a new version of the node', () => {
		const newer = limit(100, [{ _cnd: { gte: 1.1 } }]);
		expect(lost(published, linesOfNode([1, 1.1], limit(50, [1]), newer))).toEqual([]);
	});
});
