import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { invalid, problem, type FieldErrors, type ServiceError } from './errors.ts';
import { withOverlay, type Overlay } from './overlay.ts';

type Json = Record<string, unknown>;

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	explode?: boolean;
	schema: Json;
}

/** The part of a request that is validated on its own. */
export type RequestPart = 'body' | 'params' | 'querystring';

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
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const strictId = 'strict';
const lenientId = 'lenient';
const mostErrors = 50;
/** The largest number of a path or query: products of two still are safe integers. */
const largestInteger = 2 ** 26 - 1;

const readYaml = (name: string): unknown =>
	parse(readFileSync(path.join(import.meta.dirname, '..', name), 'utf8'), { maxAliasCount: -1 });

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const pointer = (...keys: string[]): string =>
	`#/${keys.map((key) => encodeURIComponent(escape(key))).join('/')}`;

/** The same document without any refusal of unknown fields. */
const lenient = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(lenient);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([key, item]) => !(key === 'additionalProperties' && item === false))
			.map(([key, item]) => [key, lenient(item)]),
	);
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
		const { missingProperty, additionalProperty } = error.params as Record<string, string>;
		const own = missingProperty ?? additionalProperty;
		const parent = fieldName(error.instancePath);
		const field = own ? (parent ? `${parent}.${own}` : own) : parent || 'body';
		const messages = (fields[field] ??= []);
		const message = messageOf(error);
		if (!messages.includes(message)) messages.push(message);
	}
	return fields;
};

/** openapi.yaml with the sandbox's overlay: the routes, and the validation of requests, responses and events that follow from it. */
export class Contract {
	readonly operations: Operation[];
	readonly #document: Json;
	readonly #ofBodies: Ajv2020;
	readonly #ofTexts: Ajv2020;
	readonly #validators = new Map<string, ValidateFunction>();
	readonly #byId = new Map<string, Operation>();

	constructor() {
		this.#document = withOverlay(
			readYaml('openapi.yaml') as Json,
			readYaml('openapi.sandbox.yaml') as Overlay,
		);
		const options = { allErrors: true, strict: false, validateSchema: false, verbose: true };
		this.#ofBodies = new Ajv2020(options);
		this.#ofTexts = new Ajv2020({ ...options, coerceTypes: true });
		for (const ajv of [this.#ofBodies, this.#ofTexts]) {
			addFormats.default(ajv);
			ajv.addSchema(this.#document, strictId);
			ajv.addSchema(lenient(this.#document) as Json, lenientId);
		}
		this.operations = this.#readOperations();
		for (const operation of this.operations) this.#byId.set(operation.operationId, operation);
	}

	/** The operation of that id. */
	operation(operationId: string): Operation {
		const operation = this.#byId.get(operationId);
		if (!operation) throw new Error(`openapi.yaml has no operation ${operationId}`);
		return operation;
	}

	/** The ids that requests are logged with and faults are matched by. */
	get operationIds(): string[] {
		return this.operations.flatMap((one) => [
			one.operationId,
			...(one.operationIdWithoutBody === undefined ? [] : [one.operationIdWithoutBody]),
		]);
	}

	/** Throws a 400 that names an operation id that does not exist. */
	checkOperationId(operationId: string, field: string): void {
		const ids = this.operationIds;
		if (ids.includes(operationId)) return;
		throw problem(
			400,
			`${field}: openapi.yaml has no operation '${operationId}'. Operations: ${ids.join(', ')}.`,
		);
	}

	/** The field names of a schema, in their order. */
	fields(schemaName: string): string[] {
		return Object.keys(this.#properties({ $ref: pointer('components', 'schemas', schemaName) }));
	}

	/** The names of a schema's codes, in their order. */
	codeNames(schemaName: CodeSchema): ReadonlyMap<number, string> {
		const schema = this.#resolve({ $ref: pointer('components', 'schemas', schemaName) });
		const names = schema['x-enum-descriptions'] as string[];
		return new Map((schema.enum as number[]).map((code, index) => [code, names[index] ?? '']));
	}

	/**
	 * What is wrong with a part of a request, if anything. Texts of paths and queries are turned into the
	 * types that the contract names; bodies are taken as they are.
	 */
	requestError(
		operation: Operation,
		part: RequestPart,
		value: unknown,
		strict: boolean,
	): ServiceError | undefined {
		if (part === 'body') {
			const { required } = this.#requestBody(operation);
			if (value === undefined || value === null) {
				return required ? invalid({ body: ['A JSON body is required.'] }) : undefined;
			}
		}
		const key = `${operation.operationId} ${part} ${String(strict)}`;
		const validate = this.#validator(key, () => this.#partValidator(operation, part, strict));
		return validate(value) ? undefined : invalid(toFieldErrors(validate.errors ?? []));
	}

	/** How a response departs from the contract, if it does. */
	responseMismatch(
		operation: Operation,
		status: number,
		body: unknown,
		strict: boolean,
	): string | undefined {
		const key = `${operation.operationId} ${String(status)} ${String(strict)}`;
		const validate = this.#validator(key, () => {
			const responses = this.#operationObject(operation).responses as Json;
			const found = responses[String(status)] as Json | undefined;
			if (!found) return this.#ofBodies.compile({ not: {}, description: 'no such status' });
			const content = this.#resolve(found).content as Json | undefined;
			const media = content?.['application/json'] as { schema: Json } | undefined;
			return this.#ofBodies.compile(
				media ? this.#rooted(media.schema, strict ? strictId : lenientId) : { type: 'null' },
			);
		});
		return validate(body ?? null)
			? undefined
			: `${operation.operationId} answered ${String(status)}: ${this.#ofBodies.errorsText(validate.errors)}`;
	}

	/** How an event departs from the contract, if it does. Unknown kinds of events are free. */
	eventMismatch(kind: string, event: unknown): string | undefined {
		const webhook = (this.#document.webhooks as Json)[kind];
		if (!webhook) return undefined;
		const validate = this.#validator(`event ${kind}`, () =>
			this.#ofBodies.compile({
				$ref: `${strictId}${pointer('webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema')}`,
			}),
		);
		return validate(event)
			? undefined
			: `event ${kind}: ${this.#ofBodies.errorsText(validate.errors)}`;
	}

	#readOperations(): Operation[] {
		return Object.entries(this.#document.paths as Record<string, Json>).flatMap(([path, item]) =>
			methods
				.filter((method) => item[method])
				.map((method) => {
					const operation = item[method] as Json;
					const parameters = this.#parameters(path, method);
					const query = parameters.filter((parameter) => parameter.in === 'query');
					return {
						operationId: operation.operationId as string,
						operationIdWithoutBody: operation['x-operation-without-body'] as string | undefined,
						method: method.toUpperCase(),
						path,
						route: path.replace(/\{(\w+)\}/g, ':$1'),
						takesClientId: parameters.some(({ name }) => name === 'clientId'),
						queryNames: query.filter(({ explode }) => !explode).map(({ name }) => name),
						filterFields: query.some(({ explode }) => explode)
							? Object.keys(this.#listedFields(operation))
							: [],
						hasBody: operation.requestBody !== undefined,
					};
				}),
		);
	}

	#operationObject({ path, method }: Operation): Json {
		return (this.#document.paths as Record<string, Record<string, Json>>)[path]?.[
			method.toLowerCase()
		] as Json;
	}

	#parameters(path: string, method: string): Parameter[] {
		const item = (this.#document.paths as Record<string, Json>)[path] as Json;
		const own = (item[method] as Json).parameters as Json[] | undefined;
		const shared = item.parameters as Json[] | undefined;
		return [...(shared ?? []), ...(own ?? [])].map(
			(parameter) => this.#resolve(parameter) as unknown as Parameter,
		);
	}

	#requestBody(operation: Operation): {
		required?: boolean;
		content: Record<string, { schema: Json }>;
	} {
		return this.#resolve(this.#operationObject(operation).requestBody as Json) as {
			required?: boolean;
			content: Record<string, { schema: Json }>;
		};
	}

	#partValidator(operation: Operation, part: RequestPart, strict: boolean): ValidateFunction {
		const root = strict ? strictId : lenientId;
		if (part === 'body') {
			const media = this.#requestBody(operation).content['application/json'];
			return this.#ofBodies.compile(this.#rooted(media?.schema ?? {}, root));
		}
		const place = part === 'params' ? 'path' : 'query';
		const parameters = this.#parameters(operation.path, operation.method.toLowerCase()).filter(
			(parameter) => parameter.in === place,
		);
		const properties: Json = {};
		for (const { name, explode, schema } of parameters) {
			if (explode) {
				Object.assign(properties, this.#listedFields(this.#operationObject(operation)));
			} else
				properties[name] =
					schema.type === 'integer' ? { maximum: largestInteger, ...schema } : schema;
		}
		return this.#ofTexts.compile(
			this.#rooted(
				{
					type: 'object',
					properties,
					required: parameters.filter(({ required }) => required).map(({ name }) => name),
					...(strict ? { additionalProperties: false } : {}),
				},
				root,
			),
		);
	}

	/** The fields of the resource that an operation lists page by page. */
	#listedFields({ responses }: Json): Json {
		const media = '200.content.application/json.schema.properties.items.items'.split('.');
		return this.#properties(
			media.reduce((at, name) => this.#resolve(at[name] as Json), responses as Json),
		);
	}

	#properties(schema: Json): Json {
		return this.#resolve(schema).properties as Json;
	}

	/** Follows a `$ref` within the document. */
	#resolve(value: Json): Json {
		const { $ref } = value;
		if (typeof $ref !== 'string') return value;
		const found = $ref
			.slice(2)
			.split('/')
			.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
			.reduce<unknown>((at, part) => (at as Json)[part], this.#document);
		return this.#resolve(found as Json);
	}

	/** The same schema with its references pointing into a registered document. */
	#rooted(schema: Json, root: string): Json {
		return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
			key === '$ref' && typeof value === 'string' && value.startsWith('#')
				? `${root}${value}`
				: value,
		) as Json;
	}

	#validator(key: string, compile: () => ValidateFunction): ValidateFunction {
		let validate = this.#validators.get(key);
		if (!validate) {
			validate = compile();
			this.#validators.set(key, validate);
		}
		return validate;
	}
}
