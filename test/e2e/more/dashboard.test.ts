import { DateTime } from 'luxon';
import type { CredentialSummary, N8nClient, WorkflowContent } from '../../../host/n8nClient.ts';
import { useBrowser } from '../support/browser.ts';
import { withExample, withWebhookCredentials } from '../support/examples.ts';
import { itIfRunnable } from '../support/exampleSuite.ts';
import { host, loggedIn } from '../support/host.ts';
import { pictureFile } from '../support/pictures.ts';
import { createCredential } from '../support/workflows.ts';

const file = 'campaign-dashboard.json';
const viewer = { user: 'viewer', password: 'Sandbox-1234' };

const hostile = `<script>document.title = "broken"</script> "' & ${'مرحبا بكم '.repeat(5)}${'x'.repeat(220)}`;

/**
 * What the table of the dashboard has after an hour of texts and calls, as a Code node that takes
 * the table's place: it would take an hour to fill it.
 */
const rowsOf = (finished: boolean, name: string) => `
const rows = [];
for (let minute = 0; minute <= 50; minute++) {
  const part = ${finished ? 'Math.min(1, minute / 30)' : 'minute / 60'};
  const createdAt = $now.minus({ minutes: 50 - minute }).toISO();
  const firstTime = $now.minus({ minutes: 50 }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
  const of = (all) => Math.round(all * part);
  const delivered = of(1148 + 40 * Math.sin(minute / 4) * (1 - part));
  const texts = { campaignId: '1', sender: 'MyShop', firstTime, recipients: 1204, reached: delivered,
    finished: part === 1, smsStatuses: { Delivered: delivered, Undeliverable: of(52), Expired: of(4), Sent: part < 1 ? 40 : 0 }, cost: of(4816) / 100 };
  const calls = { campaignId: '1', campaignName: ${JSON.stringify(name)}, firstTime, recipients: 820, reached: of(610), notReached: 820 - of(610),
    finished: part === 1, optedOut: of(10), outcomes: { Answered: of(610), 'No Answer': of(528), 'Answerphone Message Not Left': of(88) },
    stages: { Answered: of(420), 'Caller confirmed as right party': of(120), 'Caller requested call back': of(9), 'Opt out': of(10) }, smsStatuses: {}, cost: of(4590) / 100 };
  for (const figures of [texts, calls]) rows.push({ json: { campaignId: figures.campaignId, createdAt, figures: JSON.stringify(figures) } });
}
return rows;`;

const states = [
	['running', rowsOf(false, 'Appointment reminders'), ['Running', 'Running']],
	['finished', rowsOf(true, 'Appointment reminders'), ['Finished', 'Finished']],
	['nothing yet', 'return [{ json: {} }];', []],
	['a hostile name', rowsOf(false, hostile), ['Running', 'Running']],
] as const;

describe('the page of Campaign Dashboard', () => {
	let n8n: N8nClient;
	const browser = useBrowser();
	let credential: CredentialSummary;
	let viewers: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Dashboard');
		viewers = await n8n.createCredential('Dashboard Viewers', 'httpBasicAuth', viewer);
	});

	/** A time zone in which it is day: the picture has hours at which people are texted. */
	const daylight = ['Europe/London', 'America/New_York', 'Pacific/Auckland', 'Asia/Tokyo'].find(
		(zone) => {
			const { hour } = DateTime.now().setZone(zone);
			return hour >= 9 && hour < 18;
		},
	);

	const withRows =
		(jsCode: string) =>
		(workflow: WorkflowContent): WorkflowContent => ({
			...withWebhookCredentials(workflow, viewers),
			settings: { ...workflow.settings, timezone: daylight },
			nodes: workflow.nodes.map((node) => ({
				...node,
				disabled: node.disabled === true || node.name === 'Every Minute',
				...(node.name === 'Figures of the Last Hour' && {
					...{ type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
				}),
			})),
		});

	for (const [state, rows, badges] of states) {
		itIfRunnable(file)(
			`can be read on a screen and on a phone, light and dark: ${state}`,
			async () => {
				await withExample(
					n8n,
					file,
					credential,
					async (workflow) => {
						expect(await n8n.activateWorkflow(workflow.id)).toMatchObject({ status: 'published' });
						const { parameters } = workflow.nodes.find(({ name }) => name === 'Page') ?? {};
						for (const width of [1280, 390]) {
							for (const colorScheme of ['light', 'dark'] as const) {
								const page = await browser().newPage({
									...{ viewport: { width, height: 800 }, colorScheme },
									httpCredentials: { username: viewer.user, password: viewer.password },
								});
								await page.goto(`${host().n8nUrl}/webhook/${String(parameters?.path)}`);
								expect(await page.title()).toBe('Campaigns');
								expect(await page.locator('script').count()).toBe(0);
								expect(await page.locator('.badge').allTextContents()).toEqual(badges);
								if (state === 'a hostile name') {
									expect(await page.locator('h2').allTextContents()).toContain(hostile);
								}
								const cut = `[...document.querySelectorAll('section, section *')]
								.filter((part) => part.getBoundingClientRect().right > innerWidth).length`;
								expect(await page.evaluate(cut)).toBe(0);
								// No empty space below the last campaign.
								const rest = `document.body.getBoundingClientRect().bottom -
								Math.max(...[...document.querySelectorAll('section')].map((part) => part.getBoundingClientRect().bottom))`;
								expect(await page.evaluate(rest)).toBeLessThan(80);
								const name = `example-dashboard-${state.replaceAll(' ', '-')}-${String(width)}-${colorScheme}`;
								const isInPages = state === 'running' && width === 1280 && colorScheme === 'light';
								await page.screenshot({
									path: isInPages
										? pictureFile('example-dashboard.png')
										: `${host().folder}/${name}.png`,
									fullPage: true,
								});
								await page.close();
							}
						}
					},
					withRows(rows),
				);
			},
			120_000,
		);
	}
});
