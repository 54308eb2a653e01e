import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { invalid, type FieldErrors } from './errors.ts';

type Json = Record<string, unknown>;

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	explode?: boolean;
	schema: Json;
}

/** The parts of a request, in the order in which they are validated. */
const requestParts = ['params', 'body', 'query'] as const;
type RequestPart = (typeof requestParts)[number];

/** The schemas whose values are codes with names (interface: "Events", "States and transitions"). */
export type CodeSchema = 'CallOutcomeCode' | 'CallStageCode' | 'SmsStatusCode';

/** One operation of openapi.yaml. */
export interface Operation {
	operationId: string;
	/** The name of the same request without a body, where that is another operation. */
	operationIdWithoutBody: string | undefined;
	method: string;
	/** The path as openapi.yaml writes it. */
	path: string;
	/** The path as Fastify's router writes it. */
	route: string;
	/** Whether the operation takes a client identifier. */
	takesClientId: boolean;
	/** Names of the query parameters, filters excepted. */
	queryNames: string[];
	/** Fields that a list can be filtered and sorted by. */
	filterFields: string[];
	hasBody: boolean;
	isBodyRequired: boolean;
	schemas: Record<RequestPart, Json>;
	/** The responses by their status. */
	responses: Record<string, Json>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const mostErrors = 50;
/** The largest number of a path or query: products of two still are safe integers. */
const largestInteger = 2 ** 26 - 1;

const file = path.join(import.meta.dirname, '..', 'openapi.yaml');

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A part of the document with what its references stand for. */
const resolved = (value: unknown, document: Json): unknown => {
	if (!isObject(value)) return value;
	if (Array.isArray(value)) return value.map((item) => resolved(item, document));
	if (typeof value.$ref === 'string') {
		const names = value.$ref.slice(2).split('/');
		const target = names.reduce<unknown>((at, name) => (at as Json)[name], document);
		return resolved(target, document);
	}
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key, resolved(item, document)]),
	);
};

/** What refuses unknown fields, where it is false. */
const refusals = ['additionalProperties', 'unevaluatedProperties'];

/** A schema without any refusal of unknown fields. */
const lenient = (value: unknown): unknown => {
	if (!isObject(value)) return value;
	if (Array.isArray(value)) return value.map(lenient);
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, item]) => !(refusals.includes(key) && item === false))
			.map(([key, item]) => [key, lenient(item)]),
	);
};

/** The schema of a JSON body; of nothing where there is no body. */
const bodySchema = (body: Json | undefined): Json => {
	const media = (body?.content as Json | undefined)?.['application/json'] as Json | undefined;
	return (media?.schema as Json | undefined) ?? { type: 'null' };
};

const fieldName = (instancePath: string): string =>
	instancePath
		.slice(1)
		.split('/')
		.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
		.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
		.join('');

const messageOf = (error: ErrorObject): string => {
	const { description } = (error.parentSchema ?? {}) as { description?: string };
	if ((error.keyword === 'pattern' || error.keyword === 'format') && description) {
		return `The value is not in the right form. Expected: ${description}`;
	}
	switch (error.keyword) {
		case 'required':
			return 'The field is required.';
		case 'additionalProperties':
		case 'unevaluatedProperties':
			return 'The name is not known (strict mode).';
		case 'enum':
			return `The value must be one of: ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}.`;
		default:
			return `The value ${error.message ?? 'is not valid'}.`;
	}
};

const toFieldErrors = (errors: ErrorObject[]): FieldErrors => {
	const fields: FieldErrors = {};
	for (const error of errors.slice(0, mostErrors)) {
		const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as Record<
			string,
			string | undefined
		>;
		const own = missingProperty ?? additionalProperty ?? unevaluatedProperty;
		const parent = fieldName(error.instancePath);
		const field = own ? (parent ? `${parent}.${own}` : own) : parent || 'body';
		const messages = (fields[field] ??= []);
		const message = messageOf(error);
		if (!messages.includes(message)) messages.push(message);
	}
	return fields;
};

const ajvOptions = { allErrors: true, strict: false, validateSchema: false, verbose: true };

/**
 * openapi.yaml: the routes, and the validation of requests, responses and events that follow from it.
 */
export class Contract {
	readonly operations: Operation[];
	readonly #document: Json;
	readonly #eventKinds: ReadonlyMap<unknown, string>;
	readonly #ofBodies = new Ajv2020(ajvOptions);
	readonly #ofTexts = new Ajv2020({ ...ajvOptions, coerceTypes: true });
	readonly #validators = new Map<string, ValidateFunction>();

	constructor() {
		const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Json;
		this.#document = resolved(document, document) as Json;
		for (const ajv of [this.#ofBodies, this.#ofTexts]) addFormats.default(ajv);
		this.operations = this.#readOperations();
		this.#eventKinds = this.#readEventKinds();
	}

	/** The field names of a schema, in their order. */
	fields(schemaName: string): string[] {
		return Object.keys(this.#schema(schemaName).properties as Json);
	}

	/** The names of a schema's codes, in their order. */
	codeNames(schemaName: CodeSchema): ReadonlyMap<number, string> {
		const schema = this.#schema(schemaName);
		const names = schema['x-enum-descriptions'] as string[];
		return new Map((schema.enum as number[]).map((code, index) => [code, names[index] ?? '']));
	}

	/**
	 * Throws a 400 that says what is wrong with a request. Texts of paths and queries are turned into the types that the
	 * contract names; bodies are taken as they are.
	 */
	checkRequest(operation: Operation, request: Record<RequestPart, unknown>, strict: boolean): void {
		for (const part of requestParts) {
			const value = request[part];
			if (part === 'body' && (!operation.hasBody || value === undefined)) {
				if (operation.isBodyRequired) throw invalid({ body: ['A JSON body is required.'] });
				continue;
			}
			const ajv = part === 'body' ? this.#ofBodies : this.#ofTexts;
			const key = `${operation.operationId} ${part}`;
			const validate = this.#validator(key, operation.schemas[part], strict, ajv);
			if (!validate(value)) throw invalid(toFieldErrors(validate.errors ?? []));
		}
	}

	/** How a response departs from the contract, if it does. */
	responseMismatch(
		{ operationId, responses }: Operation,
		status: number,
		body: unknown,
		strict: boolean,
	): string | undefined {
		const key = `${operationId} answered ${String(status)}`;
		const response = responses[String(status)];
		if (!response) return `${key}: openapi.yaml has no such status`;
		const validate = this.#validator(key, bodySchema(response), strict);
		return validate(body ?? null)
			? undefined
			: `${key}: ${this.#ofBodies.errorsText(validate.errors)}`;
	}

	/** The name of a documented kind of events, by its webHookType (interface: "Events"). */
	eventKind(webHookType: number): string | undefined {
		return this.#eventKinds.get(webHookType);
	}

	/** How an event departs from the contract, if it does. Unknown kinds of events are free. */
	eventMismatch(kind: string, event: unknown): string | undefined {
		const webhook = (this.#document.webhooks as Record<string, { post: Json }>)[kind];
		if (!webhook) return undefined;
		const key = `event ${kind}`;
		const validate = this.#validator(key, bodySchema(webhook.post.requestBody as Json), true);
		return validate(event) ? undefined : `${key}: ${this.#ofBodies.errorsText(validate.errors)}`;
	}

	#readEventKinds(): ReadonlyMap<unknown, string> {
		const webhooks = Object.entries(this.#document.webhooks as Record<string, { post: Json }>);
		return new Map(
			webhooks.map(([kind, { post }]) => {
				const { properties } = bodySchema(post.requestBody as Json);
				return [(properties as { webHookType: Json }).webHookType.const, kind];
			}),
		);
	}

	#schema(name: string): Json {
		const { schemas } = this.#document.components as { schemas: Record<string, Json> };
		const schema = schemas[name];
		if (!schema) throw new Error(`openapi.yaml has no schema ${name}`);
		return schema;
	}

	#readOperations(): Operation[] {
		const paths = this.#document.paths as Record<string, Record<string, Json>>;
		return Object.entries(paths).flatMap(([place, item]) =>
			methods.flatMap((method) => {
				const operation = item[method];
				if (!operation) return [];
				const shared = (item.parameters ?? []) as Parameter[];
				const own = (operation.parameters ?? []) as Parameter[];
				return [operationOf(method, place, operation, [...shared, ...own])];
			}),
		);
	}

	#validator(key: string, schema: Json, strict: boolean, ajv = this.#ofBodies): ValidateFunction {
		const name = `${key} ${String(strict)}`;
		let validate = this.#validators.get(name);
		if (!validate) {
			validate = ajv.compile(strict ? schema : (lenient(schema) as Json));
			this.#validators.set(name, validate);
		}
		return validate;
	}
}

/** The fields of the resource that an operation lists page by page. */
const listedFields = (responses: Record<string, Json>): Json => {
	const { items } = bodySchema(responses['200']).properties as { items: { items: Json } };
	return items.items.properties as Json;
};

/** The schema of the parameters in one place; a filter stands for the fields of the listed resource. */
const parametersSchema = (
	place: Parameter['in'],
	parameters: Parameter[],
	responses: Record<string, Json>,
): Json => {
	const properties: Json = {};
	const found = parameters.filter((parameter) => parameter.in === place);
	for (const { name, explode, schema } of found) {
		if (explode) Object.assign(properties, listedFields(responses));
		else if (schema.type !== 'integer') properties[name] = schema;
		else properties[name] = { maximum: largestInteger, ...schema };
	}
	const required = found.filter((parameter) => parameter.required).map(({ name }) => name);
	return { type: 'object', properties, required, additionalProperties: false };
};

const operationOf = (
	method: string,
	place: string,
	operation: Json,
	parameters: Parameter[],
): Operation => {
	const responses = operation.responses as Record<string, Json>;
	const body = operation.requestBody as Json | undefined;
	const query = parameters.filter((parameter) => parameter.in === 'query');
	return {
		operationId: operation.operationId as string,
		operationIdWithoutBody: operation['x-operation-without-body'] as string | undefined,
		method: method.toUpperCase(),
		path: place,
		route: place.replace(/\{(\w+)\}/g, ':$1'),
		takesClientId: parameters.some(({ name }) => name === 'clientId'),
		queryNames: query.filter(({ explode }) => !explode).map(({ name }) => name),
		filterFields: query.some(({ explode }) => explode) ? Object.keys(listedFields(responses)) : [],
		hasBody: body !== undefined,
		isBodyRequired: body?.required === true,
		schemas: {
			body: bodySchema(body),
			params: parametersSchema('path', parameters, responses),
			query: parametersSchema('query', parameters, responses),
		},
		responses,
	};
};
