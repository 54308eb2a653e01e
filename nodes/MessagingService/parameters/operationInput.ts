import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ObservingClient } from '../transport/request';
import type { ParameterReader } from './reader';

/** The recipients of one campaign. */
export interface Block {
	recipients: IDataObject[];
	/** Where each comes from: an input item, a position in a list, or a row of a file from 1. */
	places: number[];
}

/** Those of the request that creates the campaign. */
export interface CampaignBlock extends Block {
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign it is, from 1, where a long list is divided. */
	part: number;
}

/** What stored numbers have that must not be contacted: a value, in any spelling. */
export interface OptOutMatch {
	/** One of parameter1 to parameter9. */
	parameter: string;
	value: string;
}

/** Those of a credential: its do-not-contact list. Opt Out stores the first. */
export type OptOutMatches = readonly [OptOutMatch, ...OptOutMatch[]];

/** A list that ended at Limit. */
export interface ListCut {
	returned: number;
	/** Records in the whole list; undefined where the service does not tell: there may be no more. */
	total: number | undefined;
}

/** What an operation gets for one job: one input item, or all of them where they are the recipients. */
export interface OperationInput {
	context: IExecuteFunctions;
	client: ObservingClient;
	/** The fields as the user filled them in. */
	parameters: ParameterReader;
	/** Positions of the input items, at least one. */
	itemIndexes: readonly number[];
	/** The recipients of the campaign, where the operation has some. */
	block?: CampaignBlock;
	/** The matches of the credential's do-not-contact list. @throws Failure where it has none */
	optOutMatches(): OptOutMatches;
	/** Whether an agent fills in the fields. */
	isOfAgent?: boolean;
	/** Notes something that the user should know about the request, for its output and a dry run. */
	warn?(text: string): void;
	/** Notes that Limit ended a list. */
	noteCut?(cut: ListCut): void;
}
