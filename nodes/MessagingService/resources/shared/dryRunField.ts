import type { INodeProperties } from 'n8n-workflow';

export const dryRunField: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description: 'Whether to send nothing and output what would be sent',
	builderHint: {
		propertyHint: 'Set true only to try a workflow out: nothing is sent then.',
	},
};
