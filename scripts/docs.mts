/**
 * Writes the generated pages under docs/, from the built package and openapi.yaml: `npm run docs`.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { Operation } from '../nodes/MessagingService/resources/operation.ts';
import { repository } from '../host/runtime.mjs';
import { endpointsPage } from './endpointsPage.mts';
import { operationsPage } from './operationsPage.mts';

process.chdir(repository);
const require = createRequire(import.meta.url);
const { MessagingService } = require('../dist/nodes/MessagingService/MessagingService.node.js') as {
	MessagingService: new () => { description: INodeTypeDescription };
};
const { findOperation } = require('../dist/nodes/MessagingService/resources/index.js') as {
	findOperation(resource: string, operation: string): Operation | undefined;
};

writeFileSync('docs/development/endpoints.md', endpointsPage());
writeFileSync(
	'docs/operations.md',
	operationsPage(new MessagingService().description, findOperation),
);
