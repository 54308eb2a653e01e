/**
 * `npm run docs` writes from the built package and openapi.yaml: docs/operations, and what saved
 * workflows hold, whose changes the difference of the commit shows. From the examples, it writes what
 * is public once they are published.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import type { Resource } from '../nodes/MessagingService/resources/operation.ts';
import type { Returns } from '../nodes/MessagingService/returns/fields.ts';
import { repository } from '../host/runtime.mjs';
import { operationsPages } from './operationsPages.mts';
import { withPublicTable } from './publicPages.mts';
import { linesOfForms } from './savedWorkflows.mts';

process.chdir(repository);
const require = createRequire(import.meta.url);
/** What a file of the built package exports: classes without parameters. */
const built = <Exported,>(file: string) => require(`../dist/${file}.js`) as Exported;
type Nodes = Record<string, new () => { description: INodeTypeDescription }>;

const names = ['MessagingService', 'MessagingServiceTrigger', 'MessagingServicePollTrigger'];
const nodes = names.map((name) => {
	const Node = built<Nodes>(`nodes/MessagingService/${name}.node`)[name];
	if (Node === undefined) throw new Error(`The built package has no ${name}`);
	return new Node().description;
});
const { MessagingServiceApi } = built<{ MessagingServiceApi: new () => ICredentialType }>(
	'credentials/MessagingServiceApi.credentials',
);
const { resources } = built<{ resources: Resource[] }>('nodes/MessagingService/resources/index');
const { returnsOf } = built<{ returnsOf: (resource: string, operation: string) => Returns }>(
	'nodes/MessagingService/resources/returns',
);

rmSync('docs/operations', { recursive: true, force: true });
mkdirSync('docs/operations');
for (const [file, text] of operationsPages(nodes[0]?.properties ?? [], resources, returnsOf)) {
	writeFileSync(`docs/operations/${file}`, text);
}
const { name, properties } = new MessagingServiceApi();
const lines = linesOfForms([...nodes, { name, version: 1, properties }]);
writeFileSync('test/unit/support/savedWorkflows.txt', `${lines.join('\n')}\n`);
const hosting = 'docs/self-hosting.md';
writeFileSync(hosting, withPublicTable(readFileSync(hosting, 'utf8')));
