import type { IExecuteFunctions } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';

/**
 * Does something while each run of the node is a call for each of its items, all at the same time: an
 * agent of version 2 runs a node of its own for each call. All share what n8n keeps.
 */
export async function withSimultaneousCalls<Result>(task: () => Promise<Result>): Promise<Result> {
	const { execute } = MessagingService.prototype;
	const spy = jest.spyOn(MessagingService.prototype, 'execute');
	spy.mockImplementation(async function (this: IExecuteFunctions) {
		const calls = this.getInputData().map((item) => {
			const context = Object.create(this) as IExecuteFunctions;
			return Object.assign(context, { getInputData: () => [item] });
		});
		const made = await Promise.all(calls.map(async (each) => await execute.call(each)));
		return [made.flatMap(([output = []]) => output)];
	});
	try {
		return await task();
	} finally {
		spy.mockRestore();
	}
}
