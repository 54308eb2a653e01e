import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../../nodes/MessagingService/resources';

const docs = path.resolve(__dirname, '..', '..', 'docs');
const folder = path.join(docs, 'pictures');
const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'));
const page = readFileSync(path.join(docs, 'gallery.md'), 'utf8');

/** What the walk through the editor shows, each in the light and the dark theme. */
const subjects = [
	...['node-panel', 'node-details', 'credential', 'credential-wrong-key'],
	...resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `form-${value}-${operation.value}`),
	),
	...['resource-locator', 'output-sms-message', 'output-sms-campaign', 'output-voice-campaign'],
	...['error-damaged-number', 'error-past-start'],
	...['form-trigger', 'trigger-listening', 'trigger-event', 'executions'],
];

const KILOBYTE = 1024;

describe('the gallery', () => {
	test('has a picture of every subject, light and dark', () => {
		const wanted = subjects.flatMap((subject) => [`${subject}-light.png`, `${subject}-dark.png`]);
		expect(wanted.filter((name) => !pictures.includes(name))).toEqual([]);
	});

	test('shows every picture there is', () => {
		expect(pictures.filter((name) => !page.includes(`](pictures/${name})`))).toEqual([]);
	});

	test('has small files', () => {
		const sizes = pictures.map((name) => ({ name, size: statSync(path.join(folder, name)).size }));
		expect(sizes.filter(({ size }) => size > 200 * KILOBYTE)).toEqual([]);
		const total = sizes.reduce((sum, { size }) => sum + size, 0);
		expect(total).toBeLessThan(6 * KILOBYTE * KILOBYTE);
	});
});
