import type { Locator } from 'playwright-core';
import type { EditorPage } from './editorPage.ts';
import { pictureFile } from './pictures.ts';

/** The themes of n8n, in the order in which pictures are taken: the editor is left in light. */
const themes = ['dark', 'light'] as const;

/** Takes a picture of a part of the editor in both themes: `<name>-light.png`, `<name>-dark.png`. */
export async function takePictures(
	editor: EditorPage,
	name: string,
	part: Locator,
	/** Height in pixels from the top of the part, where not all of it matters. */
	height?: number,
): Promise<void> {
	for (const theme of themes) {
		await editor.setTheme(theme);
		const box = await part.boundingBox();
		if (box === null) throw new Error(`What the picture "${name}" is to show is not there.`);
		await editor.page.screenshot({
			path: pictureFile(`${name}-${theme}.png`),
			clip: { ...box, height: Math.min(box.height, height ?? box.height) },
			// A blinking cursor or a moving border would make each picture another one.
			animations: 'disabled',
			caret: 'hide',
		});
	}
}
