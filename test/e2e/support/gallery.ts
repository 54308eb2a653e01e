import type { Locator } from 'playwright-core';
import type { EditorPage } from './editorPage.ts';
import { pictureFile } from './pictures.ts';

/** What is shown in both themes of n8n. */
const inBothThemes = ['output-sms-campaign'];

/** Takes a picture of a part of the editor: `<name>.png`; for some, `<name>-dark.png` as well. */
export async function takePictures(
	editor: EditorPage,
	name: string,
	part: Locator,
	/** Height in pixels from the top of the part, where not all of it matters. */
	height?: number,
): Promise<void> {
	const themes = inBothThemes.includes(name) ? (['dark', 'light'] as const) : (['light'] as const);
	for (const theme of themes) {
		await editor.setTheme(theme);
		const box = await part.boundingBox();
		if (box === null) throw new Error(`What the picture "${name}" is to show is not there.`);
		await editor.page.screenshot({
			path: pictureFile(theme === 'light' ? `${name}.png` : `${name}-dark.png`),
			clip: { ...box, height: Math.min(box.height, height ?? box.height) },
			// A blinking cursor or a moving border would make each picture another one.
			animations: 'disabled',
			caret: 'hide',
		});
	}
}
