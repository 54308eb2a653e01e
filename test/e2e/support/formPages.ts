import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Workflow } from '../../../host/n8nClient.ts';
import { host, loggedIn } from './host.ts';

/** A file that somebody uploads. */
export interface UploadedFile {
	name: string;
	text: string | Buffer;
}

/** What somebody enters: a text, a file, or `true` for an option of a choice. */
export type Answers = Record<string, string | UploadedFile | true>;

/** The address of a form in a published workflow. */
export function formUrl({ nodes }: Workflow, name: string): string {
	const trigger = nodes.find((node) => node.name === name);
	const { path } = trigger?.parameters.options as { path: string };
	return `${host().n8nUrl}/form/${path}`;
}

/** n8n's pages ask only every second whether there is a next one. */
const ASK_SOONER = `
	const { setTimeout: full } = window;
	window.setTimeout = (task, ms, ...rest) => full(task, ms >= 1000 ? 100 : ms, ...rest);
`;

/** n8n's forms in a browser, as the owner of n8n or a stranger sees them. */
export class FormPages {
	private readonly context: BrowserContext;

	/** The page that is shown. */
	page: Page;

	private constructor(context: BrowserContext, page: Page) {
		this.context = context;
		this.page = page;
	}

	static async open(browser: Browser, isLoggedIn = true): Promise<FormPages> {
		const context = await browser.newContext();
		context.setDefaultTimeout(120_000);
		await context.addInitScript(ASK_SOONER);
		if (isLoggedIn) {
			const { url, session } = await loggedIn();
			await context.addCookies([{ ...session, url }]);
		}
		return new FormPages(context, await context.newPage());
	}

	/** Opens a form in a page of its own, fills it in and sends it. */
	async submit(url: string, answers: Answers): Promise<void> {
		await this.page.close();
		this.page = await this.context.newPage();
		await this.page.goto(url);
		const allow = this.page.getByRole('button', { name: 'Allow access' });
		await allow.or(this.button).waitFor();
		// n8n asks people who are logged in whether the form may know them.
		if (await allow.isVisible()) await allow.click();
		await this.answer(answers);
	}

	/** As if somebody closed the page as soon as the form is sent. */
	async neverShowResults(): Promise<void> {
		await this.context.route('**/form-waiting/**', async (route) => {
			await route.abort();
		});
	}

	private get button() {
		return this.page.locator('#submit-btn');
	}

	/** Fills in the page that is shown, and presses its button. */
	async answer(answers: Answers): Promise<void> {
		await this.button.waitFor();
		for (const [label, value] of Object.entries(answers)) {
			const input = this.page.getByLabel(label, { exact: true });
			if (value === true) await input.check();
			else if (typeof value === 'string') await input.fill(value);
			else {
				const buffer = Buffer.from(value.text);
				await input.setInputFiles({ name: value.name, mimeType: 'text/csv', buffer });
			}
		}
		await this.button.click();
	}

	/** What the page says, once it says this. */
	async textWith(text: string | RegExp): Promise<string> {
		const body = this.page.locator('body');
		try {
			await this.page.getByText(text).first().waitFor();
		} catch (error) {
			throw new Error(`The page does not say ${String(text)}: ${await body.innerText()}`, {
				cause: error,
			});
		}
		return await body.innerText();
	}

	async close(): Promise<void> {
		await this.context.close();
	}
}

/** Forms as the owner of n8n sees them, for the tests of a file. */
export function useForms(browser: () => Browser): () => FormPages {
	let forms: FormPages | undefined;
	beforeAll(async () => {
		forms = await FormPages.open(browser());
	});
	return () => {
		if (forms === undefined) throw new Error('The browser has not been started');
		return forms;
	};
}
