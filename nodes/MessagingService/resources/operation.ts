import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Batch } from '../recipients/batch';
import type { RecipientKind } from '../recipients/kind';
import type { ServiceClient } from '../transport/request';
import type { Returns } from '../returns/fields';
import type { ParameterReader } from './shared/parameters';

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
	/** Notes that Limit ended a list. */
	noteCut?(cut: ListCut): void;
}

/** A list that ended at Limit. */
export interface ListCut {
	returned: number;
	/** Records in the whole list; undefined where the service does not tell: there may be no more. */
	total: number | undefined;
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
	/** Whether it can run for each row of a file: its mappable fields are columns then. */
	canReadRows?: boolean;
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
	/** The fields of its output items: for n8n's editor, the documentation and the tests. */
	returns: Returns;
	/** Returns the output item, or several. */
	run(call: OperationCall): Promise<IDataObject | IDataObject[]>;
}

/** A resource of the interface and its operations, in the order of the menu. */
export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}
