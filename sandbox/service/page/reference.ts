import type { Contract } from '../contract.ts';
import { html, type Html, type Part } from './html.ts';
import { details, table } from './parts.ts';

type Json = Record<string, unknown>;

interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	description?: string;
	schema: Json;
}

interface OperationObject {
	operationId: string;
	summary: string;
	description?: string;
	tags: string[];
	parameters?: Json[];
	requestBody?: Json;
	responses: Record<string, Json>;
}

const schemaName = ({ $ref }: Json): string | undefined =>
	typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

const link = (name: string): Html => html`<a href="#schema-${name}">${name}</a>`;

/** The type of a schema in a few words, with links to those that have a name. */
const typeOf = (schema: Json): Part => {
	const name = schemaName(schema);
	if (name !== undefined) return link(name);
	const { type, format, items, anyOf, const: constant } = schema as Record<string, unknown>;
	if (constant !== undefined) return String(constant);
	if (Array.isArray(anyOf)) {
		return (anyOf as Json[]).map((one, index) => html`${index > 0 && ' or '}${typeOf(one)}`);
	}
	if (type === 'array') return html`array of ${typeOf((items ?? {}) as Json)}`;
	const names = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any');
	return format === undefined ? names : `${names} (${String(format)})`;
};

const descriptionOf = ({ description }: { description?: unknown }): string =>
	typeof description === 'string' ? description : '';

interface Field {
	name: string;
	place: string;
	required: boolean;
	description: string;
	schema: Json;
}

const fieldTable = (caption: string, fields: Field[]): Part =>
	fields.length > 0 &&
	table(
		caption,
		[
			{ label: 'Name', cell: ({ name }) => html`<code>${name}</code>` },
			{ label: 'In', cell: ({ place }) => place },
			{ label: 'Type', cell: ({ schema }) => typeOf(schema) },
			{ label: 'Required', cell: ({ required }) => (required ? 'Yes' : '') },
			{ label: 'Meaning', kind: 'main', cell: ({ description }) => description },
		],
		fields,
	);

const membersOf = (schema: Json, prefix = ''): Field[] => {
	const required = (schema.required ?? []) as string[];
	return Object.entries((schema.properties ?? {}) as Record<string, Json>).flatMap(
		([name, member]): Field[] => {
			const inner = ((member.items ?? member) as Json).properties
				? ((member.items ?? member) as Json)
				: undefined;
			const path = `${prefix}${name}${member.type === 'array' ? '[]' : ''}`;
			return [
				{
					name: path,
					place: '',
					required: required.includes(name),
					description: descriptionOf(member),
					schema: inner ? { type: member.type } : member,
				},
				...(inner ? membersOf(inner, `${path}.`) : []),
			];
		},
	);
};

const jsonSchemaOf = (body: Json): Json | undefined =>
	((body.content as Json | undefined)?.['application/json'] as { schema: Json } | undefined)
		?.schema;

const operationPart = (
	resolve: (value: Json) => Json,
	[method, path]: [string, string],
	shared: Json[],
	operation: OperationObject,
): Html => {
	const parameters = [...shared, ...(operation.parameters ?? [])].map(
		(one) => resolve(one) as unknown as Parameter,
	);
	const body = operation.requestBody && jsonSchemaOf(resolve(operation.requestBody));
	const fields = parameters.map(
		({ name, in: place, required = false, description = '', schema }): Field => ({
			name,
			place,
			required,
			description,
			schema,
		}),
	);
	const responses = Object.entries(operation.responses).map(([status, response]) => {
		const found = resolve(response);
		return { status, description: descriptionOf(found), schema: jsonSchemaOf(found) };
	});
	return details(
		`operation-${operation.operationId}`,
		html`<code>${method} ${path}</code> ${operation.summary}`,
		html`<p>${operation.description ?? ''}</p>
			<p>Operation <code>${operation.operationId}</code></p>
			${fieldTable('Parameters', fields)} ${body && html`<p>Request body: ${typeOf(body)}</p>`}
			${table(
				'Responses',
				[
					{ label: 'Status', cell: ({ status }) => status },
					{ label: 'Body', cell: ({ schema }) => schema && typeOf(schema) },
					{ label: 'Meaning', kind: 'main', cell: ({ description }) => description },
				],
				responses,
			)}`,
	);
};

const schemaPart = (name: string, schema: Json): Html => {
	const codes = schema['x-enum-descriptions'] as string[] | undefined;
	const values = (schema.enum ?? []) as number[];
	return html`<section id="schema-${name}">
		<h3>${name}</h3>
		<p>${descriptionOf(schema)} ${schema.properties === undefined && typeOf(schema)}</p>
		${fieldTable('Fields', membersOf(schema))}
		${
			codes &&
			html`<ul>
				${values.map((value, index) => html`<li>${value} ${codes[index]}</li>`)}
			</ul>`
		}
	</section>`;
};

/** The interface's operations and schemas, as openapi.yaml says them. */
export const reference = ({ published }: Contract): Html => {
	const components = published.components as Record<string, Record<string, Json>>;
	const resolve = (value: Json): Json => {
		const name = schemaName(value);
		const kind = typeof value.$ref === 'string' ? (value.$ref.split('/').at(-2) ?? '') : '';
		return name === undefined ? value : (components[kind]?.[name] ?? {});
	};
	const operations = Object.entries(published.paths as Record<string, Json>).flatMap(
		([path, item]) =>
			['get', 'post'].flatMap((method) => {
				const operation = item[method] as OperationObject | undefined;
				if (!operation) return [];
				const shared = (item.parameters ?? []) as Json[];
				const line: [string, string] = [method.toUpperCase(), path];
				const part = operationPart(resolve, line, shared, operation);
				return [{ tag: operation.tags[0], part }];
			}),
	);
	return html`<h2>API reference</h2>
		<p>
			Every operation of the service. For generators: <a href="/openapi.yaml">openapi.yaml</a>,
			<a href="/openapi.json">openapi.json</a>.
		</p>
		${(published.tags as { name: string; description: string }[]).map(
			({ name, description }) =>
				html`<section>
					<h3>${name}</h3>
					<p>${description}</p>
					${operations.filter(({ tag }) => tag === name).map(({ part }) => part)}
				</section>`,
		)}
		<h2>Schemas</h2>
		${Object.entries(components.schemas ?? {}).map(([name, schema]) => schemaPart(name, schema))}`;
};
