import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { EditorPage } from './editorPage.ts';
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

/** Makes a picture of the documentation a third as large, without a loss; `npm test` installs what it takes. */
export function shrinkPicture(file: string): void {
	if (process.env.UPDATE_PICTURES !== '1') return;
	const small = file.replace(/\.png$/, '.webp');
	execFileSync('/usr/bin/cwebp', ['-quiet', '-lossless', '-z', '9', file, '-o', small]);
	rmSync(file);
}

/** What is shown in both themes of n8n. */
const inBothThemes = ['text-each-person'];

/** Takes a picture of parts of the editor: `<name>.png`; for some, `<name>-dark.png` as well. */
export async function takePictures(
	editor: EditorPage,
	name: string,
	parts: Locator | readonly Locator[],
	/** Height in pixels from the top of the parts, where not all of it matters. */
	height = Infinity,
): Promise<void> {
	const themes = inBothThemes.includes(name) ? (['dark', 'light'] as const) : (['light'] as const);
	for (const theme of themes) {
		await editor.setTheme(theme);
		const clip = await boxOf([parts].flat(), name);
		await editor.page.screenshot({
			path: pictureFile(theme === 'light' ? `${name}.png` : `${name}-dark.png`),
			clip: { ...clip, height: Math.min(clip.height, height) },
			// A blinking cursor or a moving border would make each picture another one.
			animations: 'disabled',
			caret: 'hide',
		});
	}
}

/** The smallest rectangle around all parts. */
export async function boxOf(parts: readonly Locator[], name: string) {
	const boxes = await Promise.all(
		parts.map(async (part) => {
			const box = await part.boundingBox();
			if (box === null) throw new Error(`What the picture "${name}" is to show is not there.`);
			return box;
		}),
	);
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	return {
		...{ x, y },
		width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
		height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
	};
}
