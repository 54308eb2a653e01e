import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';

/** For records with more than ten fields. */
const simplifyField = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: { hide: { '@tool': [true] } },
} satisfies INodeProperties;

/** What an agent's tool has in its place: each field costs the model tokens. */
const agentOutputField = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Simplified', value: 'simplified', description: 'Return the most useful fields' },
		{ name: 'Raw', value: 'raw', description: 'Return all fields' },
		{
			name: 'Selected Fields',
			value: 'selectedFields',
			description: 'Return the fields you select',
		},
	],
	default: 'simplified',
	description: 'What to return to the agent',
	displayOptions: { show: { '@tool': [true] } },
} satisfies INodeProperties;

const selectedFields = (fields: readonly string[]) =>
	({
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		required: true,
		options: fields.map((name) => ({ name, value: name })),
		default: [],
		description: 'The fields to return',
		displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
	}) satisfies INodeProperties;

/** The choice of what a record with these fields returns. */
export function outputFields(fields: readonly string[]): INodeProperties[] {
	return [simplifyField, agentOutputField, selectedFields(fields)];
}

/** Makes output records as the user has chosen. */
export function chosenOutput(
	{ parameters }: OperationInput,
	fields: readonly string[],
	simplify: (record: IDataObject) => IDataObject,
): (record: IDataObject) => IDataObject {
	const output = parameters.optional(agentOutputField);
	if (output === 'selectedFields') return pickFields(parameters.read(selectedFields(fields)));
	const isSimple = output === undefined ? parameters.read(simplifyField) : output === 'simplified';
	return isSimple ? simplify : (record) => record;
}

/** A record with these fields only. One that has none of them stays as it is. */
export function pickFields(names: readonly string[]): (record: IDataObject) => IDataObject {
	return (record) => {
		const kept: IDataObject = {};
		for (const name of names) if (name in record) kept[name] = record[name];
		return Object.keys(kept).length === 0 ? record : kept;
	};
}
