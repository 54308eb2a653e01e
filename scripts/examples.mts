/**
 * `npm run examples` writes into each example what several share: code and the look of forms,
 * from examples/shared, and the layout of the canvas. A test holds that running it again changes nothing.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { exampleFiles } from '../host/workflows.ts';
import { examplesFolder, updatedExample } from './sharedCode.mts';

for (const name of exampleFiles()) {
	const file = path.join(examplesFolder, name);
	const options = await resolveConfig(file);
	const text = JSON.stringify(updatedExample(name), null, 2);
	writeFileSync(file, await format(text, { ...options, filepath: file }));
}
