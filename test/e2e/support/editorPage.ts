import type { Browser, Locator, Page } from 'playwright-core';
import { poll } from '../../../host/poll.ts';
import { openEditor } from './browser.ts';
import { host } from './host.ts';

/** How the output panel shows items. */
export type OutputView = 'table' | 'json' | 'schema';

/** For what the editor shows only after it has asked n8n; the machine may be busy. */
const PATIENCE = 120_000;

/** A text that is too long for its place. */
export interface CutText {
	text: string;
	width: number;
	place: number;
}

/**
 * n8n's editor in a browser, as a person uses it. Only this file depends on the markup of n8n.
 */
export class EditorPage {
	readonly page: Page;
	/** The panel that lists nodes and what they do. */
	readonly nodePanel: Locator;
	/** The node details view: input, form, output. */
	readonly details: Locator;
	/** The middle of the node details view: credential and parameters. */
	readonly form: Locator;
	/** The whole middle of the node details view, with its tabs and its button. */
	readonly parameterPanel: Locator;
	/** The right of the node details view. */
	readonly output: Locator;
	/** The dialog of a credential. */
	readonly credentialDialog: Locator;

	private constructor(page: Page) {
		this.page = page;
		this.nodePanel = page.getByTestId('node-creator');
		this.details = page.getByTestId('ndv');
		this.form = page.getByTestId('node-parameters');
		this.parameterPanel = this.details.locator(
			'xpath=.//*[@data-test-id="node-parameters"]/parent::*',
		);
		this.output = page.getByTestId('output-panel');
		this.credentialDialog = page.getByTestId('editCredential-modal');
	}

	/** Logs in. */
	static async open(browser: Browser): Promise<EditorPage> {
		const page = await openEditor(browser);
		page.setDefaultTimeout(PATIENCE);
		return new EditorPage(page);
	}

	/** Has the browser prefer light or dark, which n8n follows immediately; its icons a moment later. */
	async setTheme(colorScheme: 'light' | 'dark'): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
		await this.page.waitForFunction((scheme) => {
			const icons = Array.from(
				document.querySelectorAll<HTMLImageElement>('img[src*="messagingService"]'),
			);
			return icons.every(
				({ src, complete, offsetParent }) =>
					offsetParent === null || (complete && src.endsWith('.dark.svg') === (scheme === 'dark')),
			);
		}, colorScheme);
	}

	// The list of credentials, and the dialog of one

	/** Begins a credential of the type with this display name. */
	async addCredential(typeName: string): Promise<void> {
		await this.page.goto(`${host().n8nUrl}/home/credentials`);
		await this.page.getByTestId('add-resource-credential').first().click();
		const types = this.page.getByTestId('new-credential-type-select');
		await types.locator('input').fill(typeName);
		const option = this.page.getByTestId('new-credential-type-select-option');
		await option.getByText(typeName, { exact: true }).click();
		await this.page.getByTestId('new-credential-type-button').click();
		await this.credentialDialog.waitFor();
	}

	/** Opens a stored credential. */
	async openCredential(name: string): Promise<void> {
		await this.page.goto(`${host().n8nUrl}/home/credentials`);
		const cards = this.page.getByTestId('resources-list-item');
		await cards.getByText(name, { exact: true }).click();
		await this.credentialDialog.waitFor();
	}

	/** Saves the credential, which tests it; gives all that the dialog says then. */
	async saveCredential(): Promise<string> {
		const dialog = this.credentialDialog;
		const answered = this.page.waitForResponse('**/rest/credentials/test');
		await dialog.getByTestId('credential-save-button').click();
		await answered;
		const success = dialog.getByText('Connection tested successfully');
		const failure = dialog.getByText(/^Couldn.t connect with these settings/);
		await success.or(failure).filter({ visible: true }).first().waitFor();
		if (await failure.isVisible()) await dialog.getByText('More details').click();
		return await dialog.innerText();
	}

	/** Replaces the name that n8n gave the credential. */
	async renameCredential(name: string): Promise<void> {
		const title = this.credentialDialog.getByTestId('credential-name');
		await title.click();
		await title.locator('input').fill(name);
		await title.locator('input').press('Enter');
		// n8n frames a name under the mouse.
		await this.page.mouse.move(0, 0);
		await title.getByTestId('inline-edit-preview').getByText(name, { exact: true }).waitFor();
	}

	/** Makes the dialog of a credential so high that more of its form is seen without scrolling. */
	async setCredentialHeight(height: number): Promise<void> {
		await this.credentialDialog.evaluate(
			(dialog, pixels) => {
				dialog.style.setProperty('--dialog--max-height', 'none');
				dialog.style.setProperty('--dialog--height', pixels);
			},
			`${String(height)}px`,
		);
	}

	async closeCredential(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.credentialDialog.waitFor({ state: 'hidden' });
	}

	// The canvas, and the panel of nodes

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${host().n8nUrl}/workflow/${id}`);
		const canvas = this.page.getByTestId('canvas-node');
		await canvas.or(this.page.getByTestId('canvas-plus-button')).first().waitFor();
	}

	/** Opens the panel of nodes beside a canvas that has a node already. */
	async openNodePanel(): Promise<void> {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	/** Opens the panel of triggers, on a canvas that has nothing yet. */
	async openTriggerPanel(): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').first().click();
		await this.page.getByTestId('node-creator-search-bar').waitFor();
	}

	async closeNodePanel(): Promise<void> {
		// n8n does not hear the key while the panel is still opening.
		const isClosed = async () => {
			await this.page.keyboard.press('Escape');
			await this.nodePanel.waitFor({ state: 'hidden', timeout: 2000 });
			return true as const;
		};
		await poll(async () => await isClosed().catch(() => undefined), {
			what: 'the panel of nodes to close',
			timeout: PATIENCE,
		});
	}

	/** Closes what is open over the canvas. */
	async backToCanvas(): Promise<void> {
		await this.dismissMessages();
		if (await this.details.isVisible()) await this.closeNode();
		if (await this.nodePanel.isVisible()) await this.closeNodePanel();
	}

	/** The names that a search in the panel of nodes lists, once the wanted one is among the first. */
	async searchNodes(words: string, wanted: string, mostBefore: number): Promise<string[]> {
		await this.page.getByTestId('node-creator-search-bar').fill(words);
		const names = this.nodePanel.getByTestId('node-creator-item-name');
		return await poll(
			async () => {
				const found = (await names.allInnerTexts()).map((name) => name.trim());
				const place = found.indexOf(wanted);
				return place >= 0 && place <= mostBefore ? found : undefined;
			},
			{ what: `"${wanted}" among the nodes found by "${words}"`, timeout: PATIENCE },
		);
	}

	/** Opens one of the two lists of what a node does, and gives its entries. */
	async listActions(node: string, list: 'Actions' | 'Triggers'): Promise<string[]> {
		await this.searchNodes(node, node, 0);
		const entry = this.nodePanel.getByTestId('item-iterator-item');
		await entry.filter({ hasText: node }).first().click();
		const title = new RegExp(`${list} \\((\\d+)\\)`);
		const part = this.nodePanel.locator('[data-category-collapsed]').filter({ hasText: title });
		// The list of actions is open from the start where the workflow has a trigger already.
		if ((await part.getAttribute('data-category-collapsed')) === 'true') {
			await part.getByText(title).click();
		}
		const count = Number(title.exec((await part.textContent()) ?? '')?.[1]);
		const names = part.getByTestId('node-creator-item-name');
		return await poll(
			async () => {
				const entries = (await names.allInnerTexts()).map((name) => name.trim());
				// n8n draws a long list piece by piece.
				return entries.length === count ? entries : undefined;
			},
			{ what: `the list of ${list.toLowerCase()} of ${node}`, timeout: PATIENCE },
		);
	}

	/** Adds the node that does this; its details view opens. */
	async addAction(action: string): Promise<void> {
		await this.nodePanel.getByText(action, { exact: true }).click();
		await this.form.waitFor();
	}

	/** Opens the details view of a node on the canvas. */
	async openNode(name: string): Promise<void> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.form.waitFor();
	}

	/** Takes the nodes away that were added beyond so many. */
	async removeAdded(remaining: number): Promise<void> {
		const nodes = this.page.getByTestId('canvas-node');
		await poll(
			async () => {
				if ((await nodes.count()) <= remaining) return true;
				await nodes.last().click();
				await this.page.keyboard.press('Delete');
				return undefined;
			},
			{ what: 'the removal of a node', timeout: PATIENCE },
		);
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.details.waitFor({ state: 'hidden' });
	}

	// The form of a node, or of a credential

	/** The field of a parameter. */
	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, text: string): Promise<void> {
		const input = this.field(name).locator('input, textarea').first();
		await input.fill(text);
		// Leaving the field is what tells n8n.
		await input.blur();
	}

	/** Replaces a text that is somewhere in the form. */
	async fillText(current: string, text: string): Promise<void> {
		const fields = this.form.locator('textarea');
		const values = await fields.evaluateAll((all) =>
			all.map((field) => (field as HTMLTextAreaElement).value),
		);
		const input = fields.nth(values.findIndex((value) => value.includes(current)));
		await input.fill(text);
		await input.blur();
	}

	/** Types a date into the field of a date picker. */
	async fillDate(name: string, date: string): Promise<void> {
		const input = this.field(name).locator('input').first();
		await input.fill(date);
		await input.press('Enter');
	}

	/** Chooses an entry of a menu by its name. */
	async choose(name: string, option: string): Promise<void> {
		await this.field(name).click();
		const entries = this.page.getByTestId('parameter-input-item').filter({ visible: true });
		await entries.getByText(option, { exact: true }).click();
	}

	/** Chooses entries of a menu that takes several. */
	async chooseSeveral(name: string, options: readonly string[]): Promise<void> {
		const input = this.field(name).locator('input').first();
		await input.click();
		const entries = this.page.locator('.el-select-dropdown__item').filter({ visible: true });
		for (const option of options) await entries.getByText(option, { exact: true }).click();
		await input.press('Tab');
	}

	async switchOn(name: string): Promise<void> {
		await this.field(name).locator('.el-switch').click();
	}

	/** The names of all fields of a node, from top to bottom. */
	async labels(): Promise<string[]> {
		return await this.labelsIn(this.form);
	}

	/** The names of all fields of a credential, from top to bottom. */
	async credentialLabels(): Promise<string[]> {
		return await this.labelsIn(this.credentialDialog);
	}

	private async labelsIn(part: Locator): Promise<string[]> {
		return await part.evaluate((form) =>
			Array.from(form.querySelectorAll<HTMLElement>('label.n8n-input-label'))
				.filter(
					(label) =>
						label.offsetParent !== null &&
						label.closest('[data-test-id="node-credentials-slot"]') === null,
				)
				.map((label) =>
					(label.querySelector('.n8n-text')?.textContent ?? '').replace('*', '').trim(),
				),
		);
	}

	/** Names, values and placeholders of fields that are wider than their place. */
	async cutTexts(within = this.form): Promise<CutText[]> {
		return await within.evaluate((form) => {
			const cut: CutText[] = [];
			const isShown = (element: HTMLElement) => element.offsetParent !== null;
			for (const label of Array.from(form.querySelectorAll<HTMLElement>('label.n8n-input-label'))) {
				const title = label.querySelector<HTMLElement>('.n8n-text')?.parentElement;
				if (!title || !isShown(title) || title.scrollWidth <= title.clientWidth) continue;
				const { textContent, scrollWidth: width, clientWidth: place } = title;
				cut.push({ text: (textContent ?? '').trim(), width, place });
			}
			const context = document.createElement('canvas').getContext('2d');
			for (const input of Array.from(
				form.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])'),
			)) {
				const text = input.value === '' ? input.placeholder : input.value;
				if (context === null || text === '' || !isShown(input)) continue;
				const { font, paddingLeft, paddingRight } = getComputedStyle(input);
				context.font = font;
				const { width } = context.measureText(text);
				const place = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
				if (width > place + 1) cut.push({ text, width, place });
			}
			return cut;
		});
	}

	/** How many fields show the sign that something is missing. */
	async issueCount(): Promise<number> {
		return await this.form.getByTestId('parameter-issues').filter({ visible: true }).count();
	}

	/** Height of the middle of the details view down to the last field, in pixels. */
	async formHeight(): Promise<number> {
		const margin = 24;
		const bottoms = await this.form.evaluate((form) =>
			Array.from(form.querySelectorAll<HTMLElement>('[data-test-id="parameter-item"]'))
				.filter((item) => item.offsetParent !== null)
				.map((item) => item.getBoundingClientRect().bottom),
		);
		const top = (await this.parameterPanel.boundingBox())?.y ?? 0;
		return Math.max(...bottoms) - top + margin;
	}

	// Resource locators

	/** What a resource locator shows as its choice. */
	async located(name: string): Promise<string> {
		return await this.locator(name).locator('input').last().inputValue();
	}

	/** Enters an ID into a resource locator. */
	async fillId(name: string, id: string): Promise<void> {
		await this.chooseMode(name, 'id');
		const input = this.locator(name).getByTestId('rlc-input-container').locator('input');
		await input.fill(id);
		await input.blur();
	}

	private async chooseMode(name: string, mode: 'list' | 'id'): Promise<void> {
		const option = this.page.getByTestId(`mode-${mode}`).filter({ visible: true });
		// n8n closes the menu by itself where it draws the form again at that moment.
		for (let tries = 1; ; tries++) {
			await this.locator(name).getByTestId('rlc-mode-selector').click();
			const [outcome] = await Promise.allSettled([option.click({ timeout: 5000 })]);
			if (outcome.status === 'fulfilled') return;
			if (tries === 3) throw outcome.reason;
		}
	}

	private locator(name: string): Locator {
		return this.page.getByTestId(`resource-locator-${name}`);
	}

	/** Opens the list of a resource locator, of another mode first, once it has entries. */
	async openList(name: string, mode?: 'list'): Promise<void> {
		if (mode !== undefined) await this.chooseMode(name, mode);
		await this.locator(name).getByTestId('rlc-input').click();
		await this.listEntries().first().waitFor();
	}

	listEntries(): Locator {
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	/** Scrolls to the end of the opened list, which loads the next page, until it has so many entries. */
	async scrollListTo(count: number): Promise<void> {
		await poll(
			async () => {
				if ((await this.listEntries().count()) >= count) return true;
				await this.listEntries().last().scrollIntoViewIfNeeded();
				await this.listEntries().last().hover();
				await this.page.mouse.wheel(0, 5000);
				return undefined;
			},
			{ what: `${String(count)} entries in the list`, timeout: PATIENCE },
		);
	}

	/** Searches in the opened list and waits until it has one entry. */
	async searchList(words: string): Promise<Locator> {
		await this.page
			.locator('input[data-test-id="rlc-search"], [data-test-id="rlc-search"] input')
			.filter({ visible: true })
			.fill(words);
		await poll(async () => ((await this.listEntries().count()) === 1 ? true : undefined), {
			what: `one entry for "${words}"`,
			timeout: PATIENCE,
		});
		return this.listEntries().first();
	}

	// Execution of a node

	/** Executes the opened node and the ones before it; gives what n8n says in its corner. */
	async execute(): Promise<string> {
		await this.startExecution();
		return await this.message();
	}

	/** Executes the opened node, for who waits for its output: what n8n says may be gone by then. */
	async startExecution(): Promise<void> {
		await this.dismissMessages();
		await this.page.getByTestId('node-execute-button').click();
	}

	/**
	 * What n8n says in its corner, as soon as it says something. On a slow machine the editor may
	 * take its own save for another tab's, and says so: that is no answer to what was clicked.
	 */
	async message(): Promise<string> {
		const message = this.page
			.locator('.el-notification')
			.filter({ hasNotText: 'Workflow updated elsewhere' })
			.first();
		await message.waitFor();
		return (await message.innerText()).replace(/\s+/g, ' ').trim();
	}

	async dismissMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn').filter({ visible: true });
		await poll(
			async () => {
				if ((await close.count()) === 0) return true;
				// It may be gone by itself before the click.
				await close
					.first()
					.click({ timeout: 1000 })
					.catch(() => undefined);
				return undefined;
			},
			{ what: "n8n's messages to go", timeout: PATIENCE },
		);
	}

	/** What the output panel says of an execution that failed, once it says this. */
	async failure(message: string): Promise<string> {
		await this.output.getByText(message).first().waitFor();
		return await this.output.innerText();
	}

	/** The hint beside the output that contains this text. */
	async hint(text: string): Promise<string> {
		const hint = this.output.getByTestId('node-hint').filter({ hasText: text }).first();
		await hint.waitFor();
		return (await hint.innerText()).trim();
	}

	/** Shows the output in one of its views, and waits for these texts: n8n draws it in several steps. */
	async showOutput(view: OutputView, ...texts: readonly (string | RegExp)[]): Promise<void> {
		const button = this.output.getByTestId(`radio-button-${view}`);
		await button.click();
		const shown = {
			table: this.output.locator('table'),
			json: this.output.getByTestId('ndv-json-actions').or(this.output.locator('.vjs-tree')),
			schema: this.output.getByTestId('run-data-schema-item'),
		};
		await shown[view].first().waitFor({ state: 'attached' });
		const data = this.output.getByTestId('ndv-data-container');
		for (const text of texts) await data.filter({ hasText: text }).waitFor();
	}

	/** A field of the input, as the schema of the input panel has it. */
	inputField(name: string): Locator {
		const panel = this.page.getByTestId('ndv-input-panel');
		return panel.locator(`[data-target="mappable"][data-name="${name}"]`).first();
	}

	/** Shows what left by the error output. */
	async openErrorOutput(): Promise<void> {
		await this.output
			.getByText(/^Error/)
			.first()
			.click();
	}

	// Publishing and executions

	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByTestId('activation-modal').waitFor();
		await this.page.getByTestId('activation-modal').getByRole('button', { name: 'Got it' }).click();
	}

	/** Opens the menu of Retry of the newest execution; gives its parts. */
	async openRetryMenu(): Promise<Locator[]> {
		const entries = await this.openExecutions(1);
		await entries.first().click();
		const details = this.page.locator('[data-test-id^="execution-preview-details-"]');
		await this.page.getByTestId('execution-preview-retry-button').click();
		const entry = this.page.getByText('Retry with original workflow').filter({ visible: true });
		await entry.first().waitFor();
		const tabs = this.page.getByRole('radiogroup').filter({ hasText: 'Executions' });
		return [tabs.first(), details.first(), entry.first()];
	}

	/** Opens the list of executions, once it has so many. */
	async openExecutions(count: number): Promise<Locator> {
		await this.page.getByTestId('radio-button-executions').click();
		const entries = this.page
			.getByTestId('current-executions-list')
			.locator('[data-test-id^="execution-details-"]');
		await entries.nth(count - 1).waitFor();
		return entries;
	}
}
