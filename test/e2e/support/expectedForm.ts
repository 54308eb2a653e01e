import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** What the form of a node has to show, by the node's own description. */
export interface ExpectedForm {
	/** The names of the fields, from top to bottom. */
	labels: string[];
	/** Names of those that must be filled in. */
	required: string[];
	/** Names of the collections of what may be added. */
	optional: string[];
	/** Texts of the boxes between the fields, and of the lines below them. */
	texts: string[];
	/** What n8n says about what is missing, as long as nothing is filled in. */
	issues: string[];
}

const hasOptions = ({ type }: INodeProperties) => ['collection', 'fixedCollection'].includes(type);

/** The form of a new node with these parameters, the others having their defaults. */
export function expectedForm(
	description: INodeTypeDescription,
	chosen: INodeParameters,
): ExpectedForm {
	const { properties, version } = description;
	const node = { typeVersion: Array.isArray(version) ? Math.max(...version) : version };
	const parameters =
		NodeHelpers.getNodeParameters(properties, chosen, true, false, node, description) ?? {};
	const shown = properties.filter(
		(property) =>
			property.type !== 'hidden' &&
			NodeHelpers.displayParameter(parameters, property, node, description),
	);
	const fields = shown.filter(({ type }) => type !== 'notice');
	const names = (properties: INodeProperties[]) => properties.map(({ displayName }) => displayName);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, id: '', name: '', type: '', position: [0, 0], parameters },
		description,
	);
	return {
		labels: names(fields),
		required: names(fields.filter(({ required }) => required === true)),
		optional: names(fields.filter((field) => hasOptions(field) && field.required !== true)),
		texts: [
			...names(shown.filter(({ type }) => type === 'notice')),
			...fields.map(({ hint }) => hint).filter((hint) => hint !== undefined),
		],
		issues: Object.values(issues?.parameters ?? {}).flat(),
	};
}
