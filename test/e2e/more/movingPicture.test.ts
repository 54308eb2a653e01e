import { statSync } from 'node:fs';
import { Film } from '../support/film.ts';
import { takePictures } from '../support/pictures.ts';
import { openWorkflow, type OpenedWorkflow } from '../support/openedWorkflow.ts';
import { actionName, actionWorkflow, sandboxCredentialData } from '../support/workflows.ts';

const rows = [
	{ name: 'Olivia', phone: '07700 900120' },
	{ name: 'Noah', phone: '07700 900121' },
	{ name: 'Amelia', phone: '4.47701E+11' },
	{ name: 'George', phone: '07700 900123' },
	{ name: 'Isla', phone: '07700 900124' },
];

describe('the moving picture of README.md', () => {
	let opened: OpenedWorkflow;

	beforeEach(async () => {
		opened = await openWorkflow((credential) => ({
			...actionWorkflow(
				'Customers',
				credential,
				rows,
				{
					...{ resource: 'smsMessage', operation: 'send', sender: 'BellaCucina' },
					message: "=Hello {{ $json.name || 'there' }}, our new menu is here.",
				},
				{ onError: 'continueErrorOutput' },
			),
			pinData: { Rows: rows.map((json) => ({ json })) },
		}));
		const { n8n, credential } = opened;
		const price = { pricePerPart: 0.04, currency: 'GBP' };
		const priced = { ...sandboxCredentialData(), defaultCountry: 'GB', ...price };
		await n8n.updateCredential(credential, priced);
	});

	afterEach(async () => {
		await opened.close();
	});

	it('shows how a sheet is sent: drag, check, send, one row to fix', async () => {
		const { editor } = opened;
		await editor.page.setViewportSize({ width: 1440, height: 820 });
		await editor.openNode(actionName);
		const film = new Film(editor, 'text-each-person');
		await film.show(1500);
		await film.drag(editor.inputField('phone'), editor.field('phoneNumber'));
		await film.show(1800);
		await editor.switchOn('dryRun');
		await film.show(1200);
		await editor.execute();
		await editor.dismissMessages();
		await editor.showOutput('table', 'Hello Olivia, our new menu is here.');
		await film.show(3500);
		await takePictures(editor, 'text-each-person', editor.details);
		await editor.switchOn('dryRun');
		await film.show(1000);
		await editor.execute();
		await editor.dismissMessages();
		await editor.showOutput('table', 'yes');
		await film.show(3000);
		await editor.openErrorOutput();
		await editor.showOutput('table', 'has lost digits');
		await film.show(3500);
		expect(film.seconds).toBeGreaterThan(15);
		expect(film.seconds).toBeLessThan(20);
		expect(statSync(film.save('text-each-person')).size).toBeLessThan(2_500_000);
	});
});
