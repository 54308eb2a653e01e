import type { IDataObject, IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../parameters/operationInput';
import type { RecipientKind } from '../recipients/kind';
import type { Reach, ReachKind, ReachOf } from '../reach';
import type { PostRequest } from '../transport/request';

/** What all operations are: data. */
interface OperationData {
	value: string;
	name: string;
	/** Sentence-case text of the node panel, e.g. "Send an SMS message". */
	action: string;
	description: string;
	/** The fields, without `displayOptions` for resource and operation: those are added. */
	fields: INodeProperties[];
	/** Members of the collection `options`. */
	options?: INodeProperties[];
	/** When `options` is shown; without it, always. */
	showOptions?: IDisplayOptions;
	/** Whether agents are not offered it: nobody knows what it does, or it takes the events elsewhere. */
	isHiddenFromAgents?: boolean;
	/** The recipients of the campaign that it creates: checked, and perhaps split, beforehand. */
	recipients?: RecipientKind;
}

/** An operation that only reads. */
export interface ReadingOperation extends OperationData {
	/** Returns the output item, or several. */
	run(input: OperationInput): Promise<IDataObject | IDataObject[]>;
}

/** A request of an operation. */
export interface OperationRequest<To extends Reach = Reach> extends PostRequest<To> {
	/** What the output says beside the response, known before the request is sent. */
	output?: IDataObject;
}

/** An operation whose requests reach people in one way. */
interface OperationReaching<Kind extends ReachKind> extends OperationData {
	reaches: Kind;
	/** The request: typed, checked, complete. @throws Failure for fields that are wrong */
	request(input: OperationInput): OperationRequest<ReachOf<Kind>>;
	/**
	 * The output item.
	 * @param response as `ServiceClient.post` returns it; of a request that an earlier try has sent,
	 * what identifies it
	 * @param output of the request
	 */
	result(response: unknown, output: IDataObject): IDataObject;
	/** More of the output, which is read once the request was accepted. It throws nothing. */
	readOutput?(input: OperationInput): Promise<IDataObject>;
}

/** An operation that changes something. It makes one POST, and reads nothing before it. */
export type ChangingOperation = {
	[Kind in ReachKind]: OperationReaching<Kind>;
}[ReachKind];

/** One resource/operation pair. */
export type Operation = ReadingOperation | ChangingOperation;

/** Whether an operation changes something. */
export function isChanging(operation: Operation): operation is ChangingOperation {
	return 'request' in operation;
}

/** Whether messages or calls may follow: then a dry run is offered. */
export function reachesPeople(operation: Operation): boolean {
	return isChanging(operation) && !['nobody', 'events'].includes(operation.reaches);
}

/** Whether each of its requests is one message: it has no campaign with recipients. */
export function sendsMessages(operation: Operation): boolean {
	return isChanging(operation) && operation.reaches === 'messages' && !operation.recipients;
}

/** A resource of the interface and its operations, in the order of the menu. */
export interface Resource {
	value: string;
	name: string;
	/** For places without room for the name. */
	shortName?: string;
	operations: Operation[];
}
