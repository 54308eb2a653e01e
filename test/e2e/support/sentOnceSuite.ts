import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { loggedIn, sandbox } from './host.ts';
import {
	actionName,
	actionWorkflow,
	createCredential,
	runAction,
	sendByPhone as send,
} from './workflows.ts';

/** Rows with numbers that no other test uses. */
const rows = (count: number, series: number) =>
	Array.from({ length: count }, (_, row) => ({
		phone: `+4478${String(series)}${String(row).padStart(6, '0')}`,
	}));

const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

/** The numbers of a series that the service has accepted messages for, one entry a message. */
async function accepted(series: number): Promise<string[]> {
	const { items } = await sandbox().requests('POST', 'SMSMessages');
	return items
		.filter(({ status }) => status === 200)
		.map(({ body }) => String((body as { phoneNumber: unknown }).phoneNumber))
		.filter((number) => number.startsWith(`+4478${String(series)}`))
		.sort();
}

const fault = async (fault: Record<string, unknown>) =>
	await sandbox().control('POST', '/faults', {
		match: { operationId: 'sendSmsMessage' },
		...fault,
	});

/**
 * The tests that nothing is sent twice, in any mode of n8n.
 * @param readLogs the logs of all processes in which the node may run
 */
export function describeNeverSendingTwice(readLogs: () => Promise<string>): void {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	let oneAtATime: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Bulk Tests');
		oneAtATime = await createCredential(n8n, 'One at a Time', { concurrentRequests: 1 });
	});

	afterEach(async () => {
		await sandbox().control('DELETE', '/faults');
	});

	afterAll(async () => {
		await n8n.deleteCredential(credential.id);
		await n8n.deleteCredential(oneAtATime.id);
	});

	it('leaves 100 messages of 100 after a failure in the middle and Retry On Fail', async () => {
		await fault({ skip: 50, fault: { kind: 'status', status: 400 } });
		const execution = await runAction(n8n, 'Retry', credential, rows(100, 10), send, retryOnFail);
		expect(execution.status).toBe('success');
		expect(execution.items(actionName)).toHaveLength(100);
		expect(await accepted(10)).toEqual(rows(100, 10).map(({ phone }) => phone));
	});

	it.each([
		['continueRegularOutput', 11],
		['continueErrorOutput', 12],
	] as const)('leaves 100 messages of 100 with %s', async (onError, series) => {
		// n8n tries again when the first item has failed.
		await fault({ fault: { kind: 'status', status: 400 } });
		const execution = await runAction(n8n, 'Retry', oneAtATime, rows(100, series), send, {
			...retryOnFail,
			onError,
		});
		expect(execution.items(actionName)).toHaveLength(100);
		expect(await accepted(series)).toEqual(rows(100, series).map(({ phone }) => phone));
	});

	it('goes on where it failed when the failed execution is retried by hand', async () => {
		await fault({ skip: 50, fault: { kind: 'status', status: 400 } });
		const { id } = await n8n.createWorkflow(
			actionWorkflow('Retry by Hand', credential, rows(100, 13), send),
		);
		try {
			const failed = await n8n.runWorkflow(id, 'Start');
			expect(failed.status).toBe('error');
			const retried = await n8n.retryExecution(failed.id);
			expect(retried.status).toBe('success');
			expect(retried.items(actionName)).toHaveLength(100);
			expect(await accepted(13)).toEqual(rows(100, 13).map(({ phone }) => phone));
		} finally {
			await n8n.deleteWorkflow(id);
		}
	});

	it('lets each failed execution be retried once, and its retry again', async () => {
		const reject = { kind: 'status', status: 400 };
		await fault({ skip: 4, fault: reject });
		const numbers = rows(10, 15);
		const { id } = await n8n.createWorkflow(actionWorkflow('Retries', oneAtATime, numbers, send));
		try {
			const original = await n8n.runWorkflow(id, 'Start');
			expect(original.status).toBe('error');
			expect(await accepted(15)).toHaveLength(4);
			await fault({ skip: 2, fault: reject });
			const first = await n8n.retryExecution(original.id);
			expect(first.status).toBe('error');
			expect(await accepted(15)).toHaveLength(6);
			const again = await n8n.retryExecution(original.id);
			expect(again.error?.description).toContain(`a retry of ${original.id}.`);
			expect(await accepted(15)).toHaveLength(6);
			const [last, other] = await Promise.all(
				[1, 2].map(async () => await n8n.retryExecution(first.id)),
			);
			const errors = [last, other].map((each) => each?.error?.message);
			expect(errors.filter((message) => message === undefined)).toHaveLength(1);
			expect(await accepted(15)).toEqual(numbers.map(({ phone }) => phone));
		} finally {
			await n8n.deleteWorkflow(id);
		}
	});

	it('sends the others before it fails for a row that was possibly sent', async () => {
		await fault({ skip: 3, fault: { kind: 'cutAfterAccept' } });
		const numbers = rows(10, 16);
		const { id } = await n8n.createWorkflow(
			actionWorkflow('Possibly Sent', oneAtATime, numbers, send),
		);
		try {
			const original = await n8n.runWorkflow(id, 'Start');
			expect(original.status).toBe('error');
			const retried = await n8n.retryExecution(original.id);
			expect(retried.status).toBe('error');
			expect(new Set(await accepted(16)).size).toBe(9);
			const { items } = await sandbox().requests('POST', 'SMSMessages');
			const sent = items.map(({ body }) => (body as { phoneNumber: string }).phoneNumber);
			expect(sent.filter((number) => number.startsWith('+447816'))).toHaveLength(10);
		} finally {
			await n8n.deleteWorkflow(id);
		}
	});

	it('stops when it is cancelled, and says what was sent', async () => {
		await fault({ times: 'always', fault: { kind: 'delay', delayMs: 20 } });
		const { id } = await n8n.createWorkflow(
			actionWorkflow('Cancel', credential, rows(1000, 14), send),
		);
		try {
			const executionId = await n8n.startWorkflow(id, 'Start');
			await poll(async () => ((await accepted(14)).length >= 20 ? true : undefined), {
				what: 'the first messages',
				timeout: 120_000,
			});
			await n8n.stopExecution(executionId);
			expect((await n8n.finishedExecution(executionId)).status).toBe('canceled');
			// n8n keeps no data of a cancelled execution: what was sent is told in its log.
			const said = /The execution was canceled\. Sent: items 0[^(]+\((\d+) in total\)/;
			const [, count] = await poll(async () => said.exec(await readLogs()) ?? undefined, {
				what: 'the node to say what it has sent',
				timeout: 120_000,
			});
			expect(Number(count)).toBeGreaterThanOrEqual(20);
			expect((await accepted(14)).length).toBeLessThan(1000);
		} finally {
			await n8n.deleteWorkflow(id);
		}
	});
}
