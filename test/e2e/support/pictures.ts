import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { host } from './host.ts';

/** The file for a picture: with UPDATE_PICTURES=1 among those of the documentation, otherwise out of the repository. */
export function pictureFile(name: string): string {
	const folder =
		process.env.UPDATE_PICTURES === '1'
			? path.resolve(__dirname, '..', '..', '..', 'docs', 'pictures')
			: path.join(host().folder, 'pictures');
	mkdirSync(folder, { recursive: true });
	return path.join(folder, name);
}
