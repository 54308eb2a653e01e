/**
 * Writes docs/operations from the built package and openapi.yaml: `npm run docs`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { Resource } from '../nodes/MessagingService/resources/operation.ts';
import { repository } from '../host/runtime.mjs';
import { operationsPages } from './operationsPages.mts';

process.chdir(repository);
const require = createRequire(import.meta.url);
const { MessagingService } = require('../dist/nodes/MessagingService/MessagingService.node.js') as {
	MessagingService: new () => { description: INodeTypeDescription };
};
const { resources } = require('../dist/nodes/MessagingService/resources/index.js') as {
	resources: Resource[];
};

rmSync('docs/operations', { recursive: true, force: true });
mkdirSync('docs/operations');
const { properties } = new MessagingService().description;
for (const [file, text] of operationsPages(properties, resources)) {
	writeFileSync(`docs/operations/${file}`, text);
}
