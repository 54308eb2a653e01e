import type { IExecuteFunctions } from 'n8n-workflow';
import type { ReadClient } from '../transport/request';
import type { ParameterReader } from './reader';

/** What is known of one call of an operation: its input items, and the fields of the node for them. */
export interface InputCall {
	context: IExecuteFunctions;
	client: Pick<ReadClient, 'settings'>;
	/** The fields as the user filled them in. */
	parameters: ParameterReader;
	/** Positions of the input items this call stands for, at least one. */
	itemIndexes: readonly number[];
}
