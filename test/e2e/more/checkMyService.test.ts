import { useBrowser } from '../support/browser.ts';
import { dataOf, exampleSuite, itIfRunnable } from '../support/exampleSuite.ts';
import { formUrl, useForms } from '../support/formPages.ts';
import { bodies, postToService, sandbox } from '../support/host.ts';

/** In how many lines the first words of the table's rows are, each number once. */
const linesOfWords = `[...new Set([...document.querySelectorAll('tr > :first-child > strong')]
	.map((word) => word.getClientRects().length))]`;

describe('Check My Service, in a browser', () => {
	const { example, run, publish } = exampleSuite('Check My Service');
	const browser = useBrowser();
	const forms = useForms(browser);

	const check = 'check-my-service.json';
	itIfRunnable(check)('shows what to enter in the credential and what to ask', async () => {
		await sandbox().settings({ conventions: { pageIndexName: 'page' } });
		for (const ending of ['101', '102', '103']) {
			const message = { sender: 'Shop', message: 'Hello Ada', phoneNumber: `+447700900${ending}` };
			await postToService('SMSMessages', message);
		}
		await example(check, async (workflow) => {
			await publish(workflow);
			await forms().submit(formUrl(workflow, 'Open the Check'), {});
			const page = await forms().textWith('need a look');
			expect(page).toContain('Page Index Parameter: page.');
			expect(page).toMatch(/fine\s+Does the service let n8n in\?/);
			expect(page).not.toMatch(/Ada|7700900/);
			// On a phone, too, the word of a line stays whole.
			await forms().page.setViewportSize({ width: 390, height: 800 });
			expect(await forms().page.evaluate(linesOfWords)).toEqual([1]);
			const findings = dataOf(await run(workflow, 'Start'), 'Check Service');
			expect(findings.find(({ result }) => result === 'set')).toMatchObject({ value: 'page' });
		});
		expect(await bodies('/api/SMSMessages')).toHaveLength(3);
	});
});
