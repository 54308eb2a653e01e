import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { resources } from '../../nodes/MessagingService/resources';
import { returnsOf } from '../../nodes/MessagingService/resources/returns';
import { operationsPages } from '../../scripts/operationsPages.mts';
import { withPublicTable } from '../../scripts/publicPages.mts';

describe('the generated pages are current (if not: npm run docs)', () => {
	const pages = operationsPages(
		new MessagingService().description.properties,
		resources,
		returnsOf,
	);

	it.each([...pages])('docs/operations/%s', (file, page) => {
		expect(readFileSync(`docs/operations/${file}`, 'utf8')).toBe(page);
	});

	it('docs/self-hosting.md says what is public once an example is published', () => {
		const page = readFileSync('docs/self-hosting.md', 'utf8');
		expect(page).toBe(withPublicTable(page));
		expect(page).toContain('| `/form/stop` |');
	});

	it('there is no page of a resource that the node does not have', () => {
		expect(readdirSync('docs/operations').sort()).toEqual([...pages.keys()].sort());
	});
});

describe('docs/errors.md quotes what the package says', () => {
	const sources = ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(folder, { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts'))
				.map((file) => readFileSync(path.join(folder, file), 'utf8')),
		)
		.join('\n');
	const page = readFileSync('docs/errors.md', 'utf8');
	/** The cells that hold messages: of each table, those of the column with that name. */
	const messages = page.split('\n\n').flatMap((block) => {
		const [head = '', , ...rows] = block.split('\n').map((line) => line.split(/ ?\| ?/));
		const column = head.indexOf('message');
		return column === -1
			? []
			: rows.flatMap((cells) => (cells[column] ?? '').split(/, or | \/ |; /));
	});
	/** The fixed parts: what is made up for the page is in asterisks, quotes, brackets, or a number. */
	const fixedParts = messages.flatMap((message) =>
		message
			.split(/\*[^*]+\*|"[^"]*"|\([^)]*\)|\.\.\.|\d+|^the service's own words$/)
			.map((part) => part.replace(/^"|"$/g, '').trim())
			.filter((part) => part.length > 3),
	);

	it('finds messages', () => {
		expect(fixedParts.length).toBeGreaterThan(30);
	});

	it.each(fixedParts)('%s', (part) => {
		// Not toContain: a failure would print all sources.
		expect(sources.includes(part)).toBe(true);
	});
});

/** All names in a form: of fields, options, operations and actions. */
function namesIn(form: unknown): string[] {
	if (typeof form !== 'object' || form === null) return [];
	return Object.entries(form).flatMap(([key, value]) =>
		typeof value === 'string' && ['displayName', 'name', 'action'].includes(key)
			? [value]
			: namesIn(value),
	);
}

describe('a field that a page names is in a form', () => {
	const forms = [
		...[MessagingService, MessagingServiceTrigger, MessagingServicePollTrigger].map(
			(Node) => new Node().description,
		),
		new MessagingServiceApi(),
	];
	const known = new Set([
		...namesIn(forms),
		// n8n's own
		...['AI Agent', 'Compare Datasets', 'Convert to File', 'Data Table', 'Extract from File'],
		...['Fetch Test Event', 'Google Sheets', 'If Row Does Not Exist'],
		...['Loop Over Items', 'MCP Server Trigger', 'On Error', 'Poll Times', 'Remove Duplicates'],
		...['Read/Write Files from Disk', 'Retry On Fail', 'Schedule Trigger'],
	]);
	const pages = readdirSync('docs').filter((file) => file.endsWith('.md'));

	it.each(['README.md', ...pages.map((file) => `docs/${file}`)])('%s', (file) => {
		const inBold = [...readFileSync(file, 'utf8').matchAll(/\*\*([^*]+)\*\*/g)];
		const fields = inBold
			.flatMap(([, text = '']) => text.split(/ > |: /))
			.filter((text) =>
				/^[A-Z]\S*( (?:[A-Z(]\S*|of|from|by|the|per|and|to|in))* [A-Z]\S*$/.test(text),
			);
		expect(fields.filter((field) => !known.has(field))).toEqual([]);
	});
});

describe('a link that n8n shows leads to a heading of a page', () => {
	const codex = readdirSync('nodes/MessagingService')
		.filter((file) => file.endsWith('.node.json'))
		.flatMap((file) => {
			const text = readFileSync(path.join('nodes/MessagingService', file), 'utf8');
			return text.match(/https:[^"]+/g) ?? [];
		});
	const links = [new MessagingServiceApi().documentationUrl, ...codex];

	it.each([...new Set(links)])('%s', (link) => {
		const [, file = 'README.md', anchor = ''] =
			/^[^#]+?(?:\/blob\/main\/([^#]+))?#(.+)$/.exec(link) ?? [];
		const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
		const anchors = headings.map((each) => each.replace(/^#+ /, '').toLowerCase());
		// GitHub's own name for the page itself.
		expect(['readme', ...anchors]).toContain(anchor);
	});
});

describe('links between the pages lead somewhere', () => {
	const pages = [
		...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
		...['docs', 'docs/development', 'docs/operations', 'examples', 'sandbox'].flatMap((folder) =>
			readdirSync(folder)
				.filter((file) => file.endsWith('.md'))
				.map((file) => `${folder}/${file}`),
		),
	];
	/** The anchors that GitHub gives the headings of a page. */
	const anchorsOf = (file: string) =>
		[...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
			heading
				.toLowerCase()
				.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
				.replace(/[^\p{L}\p{N}_ -]/gu, '')
				.replaceAll(' ', '-'),
		);

	it.each(pages)('%s', (page) => {
		const links = [...readFileSync(page, 'utf8').matchAll(/(?:\]\(|src="|srcset=")([^)"\s]+)[)"]/g)]
			.map(([, link = '']) => link)
			.filter((link) => !/^(https?|mailto):/.test(link));
		const broken = links.filter((link) => {
			const [file = '', anchor] = link.split('#');
			const target = file === '' ? page : path.join(path.dirname(page), file);
			if (!existsSync(target)) return true;
			return anchor !== undefined && !anchorsOf(target).includes(anchor);
		});
		expect(broken).toEqual([]);
	});
});

describe('the menu of the site leads to every page', () => {
	const menu = readFileSync('site/.vitepress/config.mts', 'utf8');
	const pages = ['docs', 'docs/operations', 'docs/development'].flatMap((folder) =>
		readdirSync(folder)
			.filter((file) => file.endsWith('.md'))
			.map((file) => `'/${folder}/${path.basename(file, '.md')}'`),
	);

	it.each(pages)('%s', (page) => {
		expect(menu.includes(page)).toBe(true);
	});
});
