import { readFileSync } from 'node:fs';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { endpointsPage } from '../../scripts/endpointsPage.mts';
import { operationsPage } from '../../scripts/operationsPage.mts';

describe('the generated pages are current (if not: npm run docs)', () => {
	it.each([
		['docs/endpoints.md', () => endpointsPage()],
		['docs/operations.md', () => operationsPage(new MessagingService().description)],
	])('%s', (file, render) => {
		expect(readFileSync(file, 'utf8')).toBe(render());
	});
});
