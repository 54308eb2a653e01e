/** What several examples share: code and the look of forms, from examples/shared, and the layout of their canvases. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowContent } from '../host/n8nClient.ts';
import { layOut } from './canvas.mts';

export const examplesFolder = path.resolve(import.meta.dirname, '..', 'examples');

const sharedFolder = path.join(examplesFolder, 'shared');
const shared = new Map(
	readdirSync(sharedFolder).map((name) => [
		name,
		readFileSync(path.join(sharedFolder, name), 'utf8').trim(),
	]),
);

/** The code of a node, with today's text between the comments that name a shared file. */
function withShared(code: string): string {
	return code.replace(
		/(\/\/ From shared\/([\w.-]+):\n)[^]*?(\n\/\/ End of shared\/\2)/g,
		(_, start: string, name: string, end: string) => {
			const text = shared.get(name);
			if (text === undefined) throw new Error(`There is no examples/shared/${name}`);
			return `${start}${text}${end}`;
		},
	);
}

/** An example with today's shared code and layout. */
export function updatedExample(file: string): WorkflowContent {
	const text = readFileSync(path.join(examplesFolder, file), 'utf8');
	const workflow = JSON.parse(text) as WorkflowContent;
	for (const { type, parameters } of workflow.nodes) {
		if (typeof parameters.jsCode === 'string') parameters.jsCode = withShared(parameters.jsCode);
		if (/\.form(Trigger)?$/.test(type) && parameters.respondWith !== 'showText') {
			Object.assign(parameters.options as object, { customCss: shared.get('form.css') });
		}
	}
	layOut(workflow);
	return workflow;
}
