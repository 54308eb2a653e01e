import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { get, once } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { parse } from 'yaml';
import { returnsOf } from '../../nodes/MessagingService/resources/returns';
import { CAMPAIGN_COST } from '../../nodes/MessagingService/resources/smsCampaign/returns';
import { findOperation } from '../../nodes/MessagingService/resources';
import { addedFields } from '../../nodes/MessagingService/returns/added';
import type {
	Fields,
	FieldSchema,
	ReturnedItem,
	Returns,
} from '../../nodes/MessagingService/returns/fields';
import {
	anything,
	counts,
	decimal,
	flag,
	integer,
	listOf,
	object,
	or,
	text,
} from '../../nodes/MessagingService/returns/fields';

/** Holds output items of the nodes against what the package says that they return. */

const complaint = object({
	itemIndex: integer(0),
	entry: integer(1),
	line: integer(1),
	phoneNumber: anything(''),
	reason: text(''),
	allowed: text('Allowed Countries: GB.'),
	advice: text(''),
	nextAllowedTime: text(''),
	policyRule: text(''),
});

/** What a dry run of a campaign says beside what would happen. */
const DETAILS: Fields = {
	message: object({
		encoding: text(''),
		units: integer(1),
		parts: integer(1),
		partsInAll: integer(1),
	}),
	byCountry: counts({}),
	byType: counts({}),
	rows: integer(1),
	encoding: text(''),
	...listed('duplicates'),
	...listed('invalid'),
	reasons: listOf(object({ code: text(''), count: integer(1), first: complaint })),
	skippedCount: integer(0),
	request: object({
		method: text(''),
		path: text(''),
		query: { type: 'object' },
		body: { type: 'object' },
	}),
	problemsCount: integer(1),
	problems: listOf({ type: 'object' }),
	leftOut: counts({}),
	columnsUsed: listOf(text('')),
	columnsNotUsed: listOf(text('')),
};

/** Items in place of an operation's own: those of a dry run, and of rows that failed. */
const DRY_RUN: Fields = {
	recipients: integer(1),
	sent: text('no'),
	reason: text(''),
	campaigns: integer(1),
	...CAMPAIGN_COST,
	wouldSend: flag(true),
	dryRun: flag(true),
	details: object(DETAILS),
	warnings: listOf(text('')),
};

/** The dry run of a single message: a row that a person checks. */
const MESSAGE: Fields = {
	phoneNumber: anything(''),
	sent: text('no'),
	reason: text(''),
	message: anything(''),
	estimatedCost: decimal(0.04),
	currency: text(''),
	parts: integer(1),
	newId: { type: 'null' },
};

const DRY_RUN_OF_MESSAGE: Fields = {
	...MESSAGE,
	wouldSend: flag(true),
	dryRun: flag(true),
	encoding: text(''),
	country: text(''),
	type: text(''),
	sender: text(''),
	warnings: listOf(text('')),
};

const FAILURE: Fields = {
	...MESSAGE,
	error: text(''),
	description: text(''),
	httpStatus: integer(400),
	field: text(''),
	skipped: or(flag(true), 'array'),
	skippedCount: integer(1),
	policyRule: text(''),
	allowed: text(''),
	nextAllowedTime: text(''),
	refusedCount: integer(1),
	refused: listOf(complaint),
	created: listOf({ type: 'object' }),
	sentRows: text(''),
	possiblySentRows: text(''),
	continueAtRow: integer(1),
	problemsCount: integer(1),
	problems: listOf({ type: 'object' }),
};

function listed(name: string): Fields {
	return {
		[`${name}Count`]: integer(0),
		[name]: listOf(complaint),
	};
}

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const validators = new Map<string, ValidateFunction>();

/** The schema without room for fields that it does not list. */
function closed(schema: FieldSchema): object {
	const { properties, items, ...others } = schema;
	return {
		...others,
		...(items === undefined ? {} : { items: closed(items) }),
		...(properties === undefined
			? {}
			: {
					properties: Object.fromEntries(
						Object.entries(properties).map(([name, field]) => [name, closed(field)]),
					),
					additionalProperties: false,
				}),
	};
}

function validatorOf(fields: Fields, isOpen: boolean): ValidateFunction {
	const key = JSON.stringify([fields, isOpen]);
	const known = validators.get(key);
	if (known !== undefined) return known;
	const schema = closed(object(fields));
	const validate = ajv.compile(isOpen ? { ...schema, additionalProperties: true } : schema);
	validators.set(key, validate);
	return validate;
}

/** What the item is not, compared with these fields. */
function problemsOf(
	item: IDataObject,
	fields: Fields,
	isOpen: boolean,
	isOrdered: boolean,
): string[] {
	// What JSON has no place for is not in n8n's data either.
	const json = JSON.parse(JSON.stringify(item)) as unknown;
	const validate = validatorOf(fields, isOpen);
	validate(json);
	return [
		...(validate.errors ?? []).map(
			({ instancePath, message, params }) =>
				`${instancePath || 'the item'} ${String(message)} ${JSON.stringify(params)}`,
		),
		...(isOrdered ? misplaced(Object.keys(item), Object.keys(fields)) : []),
	];
}

/** Columns that stand before one that should come first. */
function misplaced(columns: readonly string[], order: readonly string[]): string[] {
	const listed = columns.filter((name) => order.includes(name));
	return listed.flatMap((name, index) => {
		const next = listed[index + 1];
		return next !== undefined && order.indexOf(next) < order.indexOf(name)
			? [`${next} must stand before ${name}`]
			: [];
	});
}

/** The service's events, as openapi.yaml has them; few tests ask for them. */
const documentedEvents = once(() => {
	const openapi = parse(readFileSync(path.resolve('sandbox/openapi.yaml'), 'utf8'), {
		maxAliasCount: -1,
	}) as { components: object };
	const compiler = new Ajv({ strict: false });
	addFormats(compiler);
	return ['CallAttemptedEvent', 'SmsStatusEvent'].map((name) =>
		compiler.compile({
			$ref: `#/components/schemas/${name}`,
			components: openapi.components,
		}),
	);
});

/** Whether a body is one of the documented events, with the documented types. */
export function isDocumentedEvent(body: unknown): boolean {
	return documentedEvents().some((validate) => validate(body));
}

/** What is returned with these parameters; several where an expression decides. */
function candidatesOf(returns: Returns, parameters: IDataObject): ReturnedItem[] {
	const { otherwise = [] } = returns;
	const isOfTool = typeof parameters.output === 'string' && parameters.simple === undefined;
	const isUndecided = otherwise.some(({ when }) =>
		Object.keys(when).some((name) => String(get(parameters, name)).startsWith('=')),
	);
	if (isUndecided || isOfTool) return [returns, ...otherwise];
	const chosen = otherwise.find(({ when }) =>
		Object.entries(when).every(([name, value]) => get(parameters, name) === value),
	);
	return [chosen ?? returns];
}

/**
 * @param isOrdered the columns must stand in the order of the fields
 * @throws Error that lists what the items have and the definition does not, or otherwise
 */
export function assertReturns(
	items: readonly IDataObject[],
	returns: Returns,
	parameters: IDataObject,
	added: Fields = {},
	isOrdered = true,
): void {
	const candidates = candidatesOf(returns, parameters);
	for (const item of items) {
		const problems = candidates.map(({ fields, isOpen }) =>
			problemsOf(item, { ...fields, ...added }, isOpen === true, isOrdered),
		);
		if (problems.every(({ length }) => length > 0)) {
			throw new Error(
				`An output item is not what \`returns\` says: ${problems[0]?.join('; ')}\n${JSON.stringify(item)}`,
			);
		}
	}
}

/** The same for items of the action node, which may be of a dry run or of rows that failed. */
export function assertActionReturns(items: readonly IDataObject[], parameters: IDataObject): void {
	const operation = findOperation(String(parameters.resource), String(parameters.operation));
	if (operation === undefined) return;
	const isFailure = ({ error }: IDataObject) => typeof error === 'string';
	const isDryRun = ({ dryRun }: IDataObject) => dryRun === true;
	const isOpen = get(parameters, 'options.includeInputFields') === true;
	assertReturns(items.filter(isFailure), { fields: FAILURE, isOpen }, {}, {}, false);
	for (const { reason, description } of items.filter(isFailure)) assertAdvice(reason, description);
	const isMessage = parameters.operation === 'send';
	const dryRun = { fields: isMessage ? DRY_RUN_OF_MESSAGE : DRY_RUN, isOpen };
	assertReturns(items.filter(isDryRun), dryRun, {});
	assertReturns(
		items.filter((item) => !isFailure(item) && !isDryRun(item)),
		returnsOf(String(parameters.resource), operation.value),
		parameters,
		addedFields(operation),
	);
}

/** The column of a row tells how to fix it in one sentence: the first of what its description tells. */
function assertAdvice(reason: unknown, description: unknown): void {
	const [, advice] = /^(?:Not sent|Refused|Left out): .+?\. ([A-Z].*)$/.exec(String(reason)) ?? [];
	if (advice === undefined || String(description).includes(advice)) return;
	throw new Error(
		`A row whose reason is "${String(reason)}" is described as "${String(description)}"`,
	);
}
