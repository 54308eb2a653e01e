import type { IDataObject, INode } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { actionSuite, byId, type ActionParameters } from '../support/actionSuite';
import { actionType } from '../support/engine';
import { voiceParameters } from '../support/voiceCampaign';

const { run } = actionSuite();

const voice = { ...voiceParameters, operation: 'create' };
const item = { phoneNumber: '+447700900123', flow: 302 };

/** What the editor marks as missing or wrong in a node with these parameters. */
function issuesOf(parameters: IDataObject) {
	const node = { id: '', name: '', type: '', typeVersion: 1, position: [0, 0], parameters };
	const { properties } = actionType.description;
	return NodeHelpers.getNodeParametersIssues(
		properties,
		node as unknown as INode,
		actionType.description,
	);
}

it('a call flow by an expression in a locator may come from more than 1,000 items', async () => {
	const items = Array.from({ length: 1001 }, (_, index) => ({
		...{ phoneNumber: `+4477009${String(index).padStart(5, '0')}`, flow: 302 },
	}));
	const parameters: ActionParameters = {
		...voice,
		callflow_Id: byId('={{ $json.flow }}'),
	};
	expect((await run(parameters, { items })).error).toBeUndefined();
	const last = { ...items.at(-1), flow: 303 };
	const { error } = await run(parameters, {
		items: [...items.slice(0, -1), last] as IDataObject[],
	});
	expect(error?.message).toBe('Call Flow ID must be the same for all input items');
});

it.each(['answerMachineDetected', 'smsOnBusy'] as const)(
	'%s has no default: without it, the editor marks the field and n8n runs nothing',
	async (name) => {
		const parameters: ActionParameters = { ...voice, [name]: '' };
		expect(issuesOf(parameters)?.parameters).toEqual({
			[name]: [expect.stringContaining('required')],
		});
		await expect(run(parameters, { items: [item] })).rejects.toThrow('is required');
	},
);
