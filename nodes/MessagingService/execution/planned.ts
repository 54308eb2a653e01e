import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { CampaignBlock, OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import type { Complaint } from '../reason';
import {
	reachesPeople,
	type ChangingOperation,
	type OperationRequest,
} from '../resources/operation';
import { ACCEPTED } from '../resources/shared/outcomes';
import type { Result } from './rows';

/** One request of a job, planned before any is sent. */
export interface PlannedRequest {
	/** The input items of its job. */
	itemIndexes: readonly number[];
	request: OperationRequest;
	/** The recipients of the campaign that it creates. */
	block?: CampaignBlock;
	/** Why its one recipient is left out. */
	leftOut?: Complaint;
	/** The address and the Client ID of its account. */
	clientKey: string;
	/** Of a typed list or a file: tells with which account it is sent, and how it is read. */
	basis?: string;
	/** Whether the places of the block are rows of a file. */
	isOfFile?: boolean;
}

/** The request that creates a campaign. */
export function planCampaign(
	{ operation, clientKey }: { operation: ChangingOperation; clientKey: string },
	input: OperationInput,
	block: CampaignBlock,
	{ basis, isOfFile = false }: Pick<PlannedRequest, 'basis' | 'isOfFile'> = {},
): PlannedRequest {
	const request = operation.request({ ...input, block });
	return { itemIndexes: input.itemIndexes, block, clientKey, basis, isOfFile, request };
}

/** What a request came to that the service has accepted. @param more of the output item, if people are reached */
export function acceptedResult(
	operation: ChangingOperation,
	response: unknown,
	output: IDataObject | undefined,
	more: IDataObject = {},
): Result {
	const record = operation.result(response, { ...output });
	if (!reachesPeople(operation)) return { sent: 'yes', records: [record] };
	return {
		sent: 'yes',
		records: [{ ...record, sent: 'yes', reason: record.reason ?? ACCEPTED, ...more }],
	};
}

/** The input items that a request stands for. */
export function rowsOf({ block, itemIndexes }: PlannedRequest): readonly number[] {
	return block?.itemIndexes ?? itemIndexes;
}

/**
 * Whom a request reaches, by their numbers, or what it changes: equal in each try, even if the message
 * holds the time.
 */
export function whomOf({ reaches, path, query, changes }: OperationRequest): readonly unknown[] {
	return numbersIn(reaches) ?? [JSON.stringify([path, query, changes])];
}

/** Tells texts apart without keeping them. */
export function digest(texts: readonly unknown[]): string {
	return createHash('sha256').update(texts.join('\n')).digest('base64url').slice(0, 22);
}
