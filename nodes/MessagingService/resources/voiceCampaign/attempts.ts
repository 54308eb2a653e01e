import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { positiveInteger } from '../shared/lists';

/** Call attempts, as an option of a collection; their numbers follow from their order. */
export const attemptsField: INodeProperties = {
	displayName: 'Attempts',
	name: 'attempts',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Attempt' },
	default: {},
	description: 'How often a number is called, in this order. Without this field, once.',
	options: [
		{
			displayName: 'Attempt',
			name: 'attempt',
			values: [
				{
					displayName: 'Interval (Minutes)',
					name: 'interval',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 60,
					description: 'Minutes before the next attempt',
				},
			],
		},
	],
};

/** The request's `attempts`, numbered from 1. */
export function readAttempts(collection: IDataObject): IDataObject[] {
	const attempts = Array.isArray(collection.attempt) ? (collection.attempt as IDataObject[]) : [];
	return attempts.map(({ interval }, index) => ({
		interval: positiveInteger(interval, `Interval of Attempt ${index + 1}`),
		attemptNumber: index + 1,
	}));
}
