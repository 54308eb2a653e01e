import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const page = readFileSync(
	path.resolve(__dirname, '..', '..', 'docs', 'development', 'n8n-features.md'),
	'utf8',
);
const file = path.join(
	path.dirname(require.resolve('n8n-workflow/package.json')),
	'dist/cjs/interfaces.d.ts',
);
const declarations = ts.createSourceFile(
	file,
	readFileSync(file, 'utf8'),
	ts.ScriptTarget.Latest,
	true,
);

/** The names of a type's members, as n8n-workflow declares it. */
function membersOf(type: string): string[] {
	const names: string[] = [];
	declarations.forEachChild((node) => {
		if (!ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return;
		if (node.name.text !== type) return;
		const body = ts.isInterfaceDeclaration(node) ? node : node.type;
		if (!ts.isInterfaceDeclaration(body) && !ts.isTypeLiteralNode(body)) return;
		for (const { name } of body.members) {
			if (name !== undefined) names.push(name.getText().replace(/[[\]]/g, ''));
		}
	});
	return names;
}

describe('the page about what n8n offers', () => {
	const named = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

	test.each([
		...['INodeType', 'INodeTypeBaseDescription', 'INodeTypeDescription', 'IBuilderHint'],
		...['INodeProperties', 'INodePropertyTypeOptions', 'INodePropertyOptions', 'NodeHint'],
		...['INodePropertyMode', 'INodePropertyModeTypeOptions', 'INodeCredentialDescription'],
		...['ICredentialType', 'IWebhookDescription'],
	])('names every member of %s', (type) => {
		const members = membersOf(type);
		expect(members.length).toBeGreaterThan(3);
		expect(members.filter((name) => !named.has(name))).toEqual([]);
	});

	test('calls nothing planned that the nodes already use', () => {
		const sources = ['nodes', 'credentials']
			.map((name) => path.resolve(__dirname, '..', '..', name))
			.flatMap((folder) =>
				readdirSync(folder, { recursive: true, encoding: 'utf8' })
					.filter((name) => name.endsWith('.ts'))
					.map((name) => readFileSync(path.join(folder, name), 'utf8')),
			)
			.join('\n');
		const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
		const uses = (state: string) =>
			rows
				.filter(([, , used]) => used === state)
				.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
				.filter((name) => new RegExp(`\\b${name}\\b`).test(sources));
		expect(uses('yes').length).toBeGreaterThan(20);
		expect(uses('planned')).toEqual([]);
	});

	test('names every type of a field', () => {
		const types: string[] = [];
		declarations.forEachChild((node) => {
			if (!ts.isTypeAliasDeclaration(node) || node.name.text !== 'NodePropertyTypes') return;
			types.push(...[...node.type.getText().matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
		});
		expect(types.length).toBeGreaterThan(20);
		const rows = page.split('\n').filter((line) => line.startsWith('| `type`:'));
		const words = new Set(rows.join(' ').match(/\w+/g));
		expect(types.filter((name) => !words.has(name))).toEqual([]);
	});
});
