import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { EditorPage } from './editorPage.ts';
import { host } from './host.ts';
import { boxOf, pictureFile } from './pictures.ts';

/** Makes an animation of pictures; `npm test` installs it. */
const img2webp = '/usr/bin/img2webp';

/** How long a picture is shown while the pointer moves, in milliseconds. */
const MOVING = 100;

/** What n8n's editor shows, picture by picture, as an animation. */
export class Film {
	private readonly editor: EditorPage;
	private readonly folder: string;
	private readonly frames: { file: string; milliseconds: number }[] = [];

	constructor(editor: EditorPage, name: string) {
		this.editor = editor;
		this.folder = path.join(host().folder, 'film', name);
		rmSync(this.folder, { recursive: true, force: true });
		mkdirSync(this.folder, { recursive: true });
	}

	/** Shows the editor as it is for so long. */
	async show(milliseconds: number): Promise<void> {
		const file = path.join(this.folder, `${String(this.frames.length).padStart(3, '0')}.png`);
		const clip = await boxOf([this.editor.details], 'film');
		await this.editor.page.screenshot({ path: file, clip, animations: 'disabled', caret: 'hide' });
		this.frames.push({ file, milliseconds });
	}

	/** Drags one thing onto another, with the way between. */
	async drag(from: Locator, to: Locator): Promise<void> {
		const { mouse } = this.editor.page;
		const [start, end] = [
			centreOf(await boxOf([from], 'film')),
			centreOf(await boxOf([to], 'film')),
		];
		await mouse.move(start.x, start.y);
		await mouse.down();
		const steps = 8;
		for (let step = 1; step <= steps; step++) {
			const part = step / steps;
			await mouse.move(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part);
			await this.show(MOVING);
		}
		await mouse.up();
	}

	/** How long it takes, in seconds. */
	get seconds(): number {
		return this.frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
	}

	/** Writes the animation, which starts again at its end; gives its file. */
	save(name: string): string {
		const target = pictureFile(`${name}.webp`);
		const frames = this.frames.flatMap(({ file, milliseconds }) => [
			...['-lossless', '-m', '6', '-d', String(milliseconds)],
			file,
		]);
		execFileSync(img2webp, ['-loop', '0', ...frames, '-o', target]);
		return target;
	}
}

const centreOf = ({ x, y, width, height }: Awaited<ReturnType<typeof boxOf>>) => ({
	x: x + width / 2,
	y: y + height / 2,
});
