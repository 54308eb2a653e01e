import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import { loggedIn } from './host.ts';

const executablePath = '/usr/bin/chromium';

/** Starts Chromium without a window. It looks nothing up by itself and calls nobody. */
export async function startBrowser(): Promise<Browser> {
	if (!existsSync(executablePath)) {
		throw new Error(
			`Chromium is not at ${executablePath}. On Debian or Ubuntu, install it with: sudo apt-get install chromium`,
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({
		executablePath,
		headless: true,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** A browser for the tests of a file, or of a part of it. */
export function useBrowser(): () => Browser {
	let browser: Browser | undefined;
	beforeAll(async () => {
		browser = await startBrowser();
	});
	afterAll(async () => {
		await browser?.close();
	});
	return () => {
		if (browser === undefined) throw new Error('The browser has not been started');
		return browser;
	};
}

/** A page with the owner logged in to n8n's editor. */
export async function openEditor(browser: Browser): Promise<Page> {
	const { url, session } = await loggedIn();
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	await page.context().addCookies([{ ...session, url }]);
	return page;
}
