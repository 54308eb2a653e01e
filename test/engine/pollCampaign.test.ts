import type { IDataObject } from 'n8n-workflow';
import { actionSuite } from '../support/actionSuite';
import { PolledWorkflow } from '../support/poll';
import { runs } from '../support/runs';
import { voiceBody } from '../support/voiceCampaign';

/** 10,000 in longer runs, as docs/development/reliability.md has it. */
const NUMBERS = Math.min(10_000, runs(1200));
const CALLS_PER_SECOND = NUMBERS / 50;
/** How far the sandbox goes on between two polls. */
const SECONDS_PER_POLL = 5;
/** Polls before which n8n is killed: what it has not stored is gone. */
const KILLS = [9, 19, 31];

/** Every kind of course that the calls to a number can take. */
const ENDINGS = ['123', '703', '706', '721', '722', '725'];

interface Call {
	id: number;
	campaignId: number;
	phoneNumber: string;
	startTime: string;
}

/** The key of a call (docs/poll-trigger.md, "eventKey"). */
const keyOf = ({ campaignId, phoneNumber, startTime }: Call) =>
	`call/${campaignId}/${phoneNumber.slice(1)}/${startTime.slice(0, -1)}`;

describe('a campaign of thousands of numbers and 3 attempts, polled while it runs', () => {
	const { sandbox, credential } = actionSuite();

	/** n8n with what it has stored; each start has an ID of its own, so that nothing is shared. */
	const start = (id: string, staticData?: IDataObject) =>
		new PolledWorkflow(
			{ credential: credential(), parameters: { events: ['callAttempted'] }, id },
			staticData,
		);

	async function createCampaign(): Promise<number> {
		await sandbox().settings({ voice: { callsPerSecond: CALLS_PER_SECOND } });
		const body = voiceBody({
			attempts: [1, 2, 3].map((attemptNumber) => ({ interval: 1, attemptNumber })),
			phoneNumbers: Array.from({ length: NUMBERS }, (_, index) => ({
				number: `+4478${10_000 + Math.floor(index / 6)}${ENDINGS[index % 6]}`,
			})),
		});
		return (await sandbox().api.post<{ id: number }>('/api/campaigns/voice', body)).data.id;
	}

	async function callsMade(campaignId: number): Promise<Call[]> {
		const calls: Call[] = [];
		for (;;) {
			const { data } = await sandbox().control.get<{ items: Call[] }>('/truth/calls', {
				params: { campaignId: String(campaignId), after: calls.at(-1)?.id ?? 0 },
			});
			if (data.items.length === 0) return calls;
			calls.push(...data.items);
		}
	}

	it('gives out every call once: 5 % of the requests fail, and n8n is killed three times', async () => {
		const campaignId = await createCampaign();
		let workflow = start('start-0');
		expect(await workflow.poll()).toBeNull();
		let stored = workflow.staticData;
		// A status after which no request is repeated: the poll fails.
		const fault = { kind: 'status', status: 400 };
		await sandbox().fault({ every: 20, times: 'always', fault });
		await sandbox().advanceTo('2999-01-10T08:59:58Z');

		const reported: unknown[] = [];
		let failedPolls = 0;
		for (let poll = 1, idlePolls = 0; idlePolls < 3; poll++) {
			await sandbox().advance(SECONDS_PER_POLL);
			if (KILLS.includes(poll)) workflow = start(`start-${poll}`, stored);
			try {
				const items = await workflow.poll();
				// n8n stores the static data with the execution that a poll starts.
				if (items !== null) stored = workflow.staticData;
				expect(JSON.stringify(workflow.staticData).length).toBeLessThan(100_000);
				reported.push(...(items ?? []).map(({ json }) => json.eventKey));
				idlePolls = items === null && poll > 60 ? idlePolls + 1 : 0;
			} catch {
				failedPolls++;
			}
		}
		const made = (await callsMade(campaignId)).map(keyOf);
		expect(failedPolls).toBeGreaterThan(0);
		expect(made.length).toBeGreaterThan(2 * NUMBERS);
		expect(reported.sort()).toEqual(made.sort());
	}, 300_000);
});
