import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';
import type { FieldLabels } from '../transport/errors';
import type { ServiceClient } from '../transport/request';
import { dryRunField } from '../execution/dryRunField';
import { withMapping } from './shared/mapping';
import type { ParameterReader } from './shared/parameters';
import type { Batch } from '../recipients/batches';
import { recipientOptions } from '../recipients/fields';
import type { RecipientKind } from '../recipients/kind';
import { asOptions } from './shared/fields';
import { requestOptions } from './shared/requestOptions';

/**
 * `perItem`: once for each input item. `allItems`: once for all input items together, which become
 * one request.
 */
export type OperationKind = 'perItem' | 'allItems';

/** What `run` gets: one input item (`perItem`) or all of them (`allItems`). */
export interface OperationCall {
	context: IExecuteFunctions;
	client: ServiceClient;
	/** The fields as the user filled them in. */
	parameters: ParameterReader;
	/** Positions of the input items this call stands for, at least one. */
	itemIndexes: readonly number[];
	/** The recipients of this call's campaign, where a long list becomes several. */
	batch?: Batch;
	/** Notes something that the user should know about the request, for its output and a dry run. */
	warn?(text: string): void;
}

/** One resource/operation pair: data plus one function that makes its request and its result. */
export interface Operation {
	value: string;
	name: string;
	/** Sentence-case text of the node panel, e.g. "Send an SMS message". */
	action: string;
	description: string;
	/** The fields, without `displayOptions` for resource and operation: those are added. */
	fields: INodeProperties[];
	/** Members of the collection `options`, beside those that every operation has. */
	options?: INodeProperties[];
	/** Those of the fields that the user may have mapped from the input items by their names. */
	mappable?: INodeProperties[];
	/** The recipients of the campaign that it creates: checked, and perhaps split, beforehand. */
	recipients?: RecipientKind<unknown>;
	/** Whether messages or calls may follow: then a dry run is offered. */
	reachesPeople?: boolean;
	/** How many people the request reaches, where that is known without the list of recipients. */
	reach?: 1;
	/** How input items become requests; a function where a fixed field of the node decides. */
	kind: OperationKind | ((context: IExecuteFunctions) => OperationKind);
	/** Calls with the same key run one after the other, in the order of the input items. */
	sequenceKey?(call: OperationCall): string | undefined;
	/** Returns the output item, or several. */
	run(call: OperationCall): Promise<IDataObject | IDataObject[]>;
}

/** A resource of the interface and its operations, in the order of the menu. */
export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}

export function defineOperation(operation: Operation): Operation {
	return operation;
}

export function defineResource(resource: Resource): Resource {
	return resource;
}

/** The node's properties that follow from the resources: two menus, each pair's fields, request options. */
export function toProperties(resources: readonly Resource[]): INodeProperties[] {
	const resourceMenu: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: firstValue(resources),
	};
	const operationMenus = resources.map((resource): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map(toMenuEntry),
		default: firstValue(resource.operations),
	}));
	const fields = resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			updateDisplayOptions(
				{ show: { resource: [resource.value], operation: [operation.value] } },
				allFields(operation),
			),
		),
	);
	return [resourceMenu, ...operationMenus, ...fields];
}

/** An operation's own fields, and those that follow from what it says about itself. */
function allFields(operation: Operation): INodeProperties[] {
	const { fields, mappable, reachesPeople } = operation;
	return optionalLast([
		...(mappable === undefined ? fields : withMapping(fields, mappable)),
		...(reachesPeople === true ? [dryRunField] : []),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: allOptions(operation),
		},
	]);
}

/** The members of an operation's collection `options`, in alphabetical order. */
function allOptions({ options = [], recipients }: Operation): INodeProperties[] {
	const ofRecipients = recipients === undefined ? [] : recipientOptions(recipients);
	return asOptions([...options, ...ofRecipients, ...requestOptions]);
}

/** First what an operation needs, then the collections of what may be added. */
function optionalLast(fields: readonly INodeProperties[]): INodeProperties[] {
	const isOptional = ({ type, required }: INodeProperties) =>
		(type === 'collection' || type === 'fixedCollection') && required !== true;
	return [...fields.filter((field) => !isOptional(field)), ...fields.filter(isOptional)];
}

function firstValue(entries: readonly { value: string }[]): string {
	return entries[0]?.value ?? '';
}

function toMenuEntry({ name, value, action, description }: Operation): INodePropertyOptions {
	return { name, value, action, description };
}

/** The display names of an operation's fields by the service's names, for its error messages. */
export function fieldLabels(operation: Operation): FieldLabels {
	const labels: Record<string, string> = {};
	const collect = (properties: readonly unknown[]) => {
		for (const property of properties) {
			if (typeof property !== 'object' || property === null || !('displayName' in property))
				continue;
			const { name, displayName, options, values } = property as Partial<INodeProperties> & {
				values?: INodeProperties[];
			};
			if (name !== undefined && displayName !== undefined)
				labels[name.toLowerCase()] ??= displayName;
			collect([...(options ?? []), ...(values ?? [])]);
		}
	};
	collect(operation.fields);
	collect(operation.options ?? []);
	return labels;
}
