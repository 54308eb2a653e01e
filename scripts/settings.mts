/**
 * Prints how many settings a person meets: leaf fields of each operation, trigger and credential of
 * the built package, counted inside collections, each name once:
 *
 *     npm run build && node host/bootstrap.mjs scripts/settings.mts [--names]
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import { repository } from '../host/runtime.mjs';

process.chdir(repository);
const require = createRequire(import.meta.url);
const { n8n } = JSON.parse(readFileSync('package.json', 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};

/** The only class of a built file. */
function typeOf<Type>(file: string): Type {
	const [Class] = Object.values(require(`../${file}`) as Record<string, new () => Type>);
	if (Class === undefined) throw new Error(`${file} exports nothing`);
	return new Class();
}

/** No settings: texts, buttons, and what the form does not show. */
const NOT_SETTINGS = new Set(['notice', 'hidden', 'button', 'callout']);
const MENUS = ['resource', 'operation'];

/** The paths of a field, or of those inside it. */
function leavesOf(field: INodeProperties, within = ''): string[] {
	if (NOT_SETTINGS.has(field.type)) return [];
	const path = within + field.name;
	const isGroup = field.type === 'collection' || field.type === 'fixedCollection';
	if (!isGroup) return [path];
	return (field.options ?? []).flatMap((option) => {
		if ('values' in option) {
			return option.values.flatMap((value) => leavesOf(value, `${path}.${option.name}.`));
		}
		return 'type' in option ? leavesOf(option, `${path}.`) : [];
	});
}

function print(name: string, fields: readonly INodeProperties[]): void {
	const paths = new Set(fields.flatMap((field) => leavesOf(field)));
	console.log(`${String(paths.size).padStart(4)}  ${name}`);
	if (process.argv.includes('--names')) console.log(`      ${[...paths].join(' ')}`);
}

const choicesOf = (menu: INodeProperties) =>
	(menu.options ?? []).flatMap((option) => ('value' in option ? [option] : []));

/** The fields of each operation; those of all operations count for each. */
function printOperations(properties: readonly INodeProperties[]): void {
	const fields = properties.filter(({ name }) => !MENUS.includes(name));
	for (const menu of properties.filter(({ name }) => name === 'operation')) {
		const [resource] = menu.displayOptions?.show?.resource ?? [];
		for (const { name, value } of choicesOf(menu)) {
			const own = fields.filter(({ displayOptions: { show = {} } = {} }) => {
				const isOfResource = show.resource?.includes(resource ?? '') ?? true;
				return isOfResource && (show.operation?.includes(value) ?? true);
			});
			print(`${String(resource)}: ${name}`, own);
		}
	}
}

for (const file of n8n.nodes) {
	const { displayName, properties } = typeOf<INodeType>(file).description;
	console.log(displayName);
	if (properties.some(({ name }) => name === 'operation')) printOperations(properties);
	else print('all fields', properties);
}
for (const file of n8n.credentials) {
	const { displayName, properties } = typeOf<ICredentialType>(file);
	console.log(displayName);
	print('all fields', properties);
}
