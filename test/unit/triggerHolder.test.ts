import fc from 'fast-check';
import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';
import { runs } from '../support/runs';

/** Hours between renewals here: short, so that a test need not simulate a day. */
const HOURS = 0.1;
const RENEWAL = HOURS * 1.1 * 3_600_000;
const SETTLED = 20_000;
const OUTAGE = 60_000;

const outside = 'https://outside.example.com/events';
const byHand = 'https://crm.example.com/events';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function workflowsFor(count: number): SimulatedWorkflow[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `workflow-${String(index)}`,
		parameters: {
			path: `path-${String(index)}`,
			events: ['smsStatus'],
			options: { renewEveryHours: HOURS },
		},
		staticData: {},
	}));
}

/** Lets simulated time pass while something goes on. */
async function over<Result>(running: Promise<Result>, milliseconds: number): Promise<Result> {
	running.catch(() => undefined);
	await jest.advanceTimersByTimeAsync(milliseconds);
	return await running;
}

/**
 * Who should have the URL, by the rules of docs/trigger.md. It knows nothing of how the code keeps
 * track; `known` is what this n8n can know of the URL since its last start.
 */
class Model {
	url = '';
	/** Published workflows, the one published last at the end. */
	published: SimulatedWorkflow[] = [];
	/** Workflows in the order of their publishing, which is all that n8n keeps over a start. */
	private publishing: SimulatedWorkflow[] = [];
	/** Nothing of a published workflow is wanted: the user has set something else. */
	elsewhere: string | undefined;
	/** The workflow that n8n knows to have the URL. */
	known: SimulatedWorkflow | undefined;

	get top(): SimulatedWorkflow | undefined {
		return this.elsewhere === undefined ? this.published.at(-1) : undefined;
	}

	publish(workflow: SimulatedWorkflow, url: string) {
		this.publishing = [...this.publishing.filter((each) => each !== workflow), workflow];
		this.take(workflow, url);
	}

	restart() {
		this.published = this.publishing.filter((each) => this.published.includes(each));
		this.elsewhere = undefined;
	}

	take(workflow: SimulatedWorkflow, url: string) {
		this.published = [...this.published.filter((each) => each !== workflow), workflow];
		this.elsewhere = undefined;
		this.known = workflow;
		this.url = url;
	}
}

const withoutToken = (url: string) => url.replace(/\?token=.*/, '');

interface World {
	n8n: SimulatedN8n;
	model: Model;
	workflows: SimulatedWorkflow[];
}

type Action = (world: World) => Promise<void>;

const actions: Record<string, (index: number, more: number) => Action> = {
	publish:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const workflow = workflows[index] as SimulatedWorkflow;
			const wasPublished = workflow.published !== undefined;
			if (wasPublished) workflow.parameters.path = `${String(workflow.parameters.path)}x`;
			const before = n8n.service.history.length;
			expect(await over(n8n.publish(workflow), SETTLED)).toBe(true);
			model.publish(workflow, n8n.url(workflow));
			// No moment without a URL, nor with that of another trigger.
			const told = n8n.service.history.slice(before).map(withoutToken);
			expect([...new Set(told)]).toEqual([model.url]);
		},
	unpublish:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const workflow = workflows[index] as SimulatedWorkflow;
			if (workflow.published === undefined) return;
			await over(n8n.unpublish(workflow), SETTLED);
			model.published = model.published.filter((each) => each !== workflow);
			if (model.known !== workflow) return;
			const next = model.published.at(-1);
			model.known = next;
			model.url = next === undefined ? '' : n8n.url(next);
			if (next === undefined) model.elsewhere = '';
		},
	restart:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const order = [...workflows.slice(index), ...workflows.slice(0, index)];
			const before = n8n.service.history.length;
			await over(n8n.restart(order), SETTLED);
			model.restart();
			model.known = model.top;
			if (model.top !== undefined) model.url = n8n.url(model.top);
			// In any order of starting, none takes the URL for a moment.
			const told = n8n.service.history.slice(before).map(withoutToken);
			expect(told.filter((url) => url !== model.url)).toEqual([]);
		},
	changeLeader:
		(_, more) =>
		async ({ n8n, model, workflows }) => {
			await n8n.loseLeadership(workflows);
			// The other leader may have set another URL.
			if (more % 2 === 0) n8n.service.url = outside;
			await over(n8n.regainLeadership(workflows), SETTLED);
			model.url = withoutToken(n8n.service.url);
			// Without a published trigger, nothing tells the process that it leads again.
			if (model.published.length === 0) return;
			model.restart();
			model.known = model.top;
			if (model.top !== undefined) model.url = n8n.url(model.top);
		},
	wait:
		() =>
		async ({ n8n, model }) => {
			await jest.advanceTimersByTimeAsync(RENEWAL + SETTLED);
			if (model.top === undefined) return;
			model.known = model.top;
			model.url = n8n.url(model.top);
		},
	setByHand:
		(_, more) =>
		async ({ n8n, model }) => {
			const url = more % 2 === 0 ? byHand : '';
			await over(n8n.setByHand(url), SETTLED);
			model.url = url;
			model.elsewhere = url;
			model.known = undefined;
		},
	setToOwn:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const workflow = workflows[index] as SimulatedWorkflow;
			const url = n8n.url(workflow);
			await over(n8n.setByHand(url), SETTLED);
			if (workflow.published !== undefined) model.take(workflow, url);
			else Object.assign(model, { url, elsewhere: url, known: undefined });
		},
	takenFromOutside:
		() =>
		async ({ n8n, model }) => {
			n8n.service.url = outside;
			model.url = outside;
			await Promise.resolve();
		},
	listen:
		(index, more) =>
		async ({ n8n, model, workflows }) => {
			const mode = ['sample', 'leave', 'redirect'][more % 3] as string;
			const workflow = workflows[index] as SimulatedWorkflow;
			const before = n8n.service.history.length;
			const stop = await over(n8n.listen(workflow, mode), SETTLED);
			const isKnown = model.top !== undefined || model.elsewhere !== undefined;
			if (mode !== 'redirect') {
				expect(n8n.service.history).toHaveLength(before);
			} else if (isKnown) {
				expect(withoutToken(n8n.service.url)).toBe(n8n.url(workflow, 'webhook-test'));
				model.known = model.top;
				model.url = model.top === undefined ? String(model.elsewhere) : n8n.url(model.top);
			} else {
				expect(stop).toBeUndefined();
			}
			if (stop !== undefined) await over(stop(), SETTLED);
		},
	rotate:
		() =>
		async ({ n8n, model }) => {
			n8n.credential.webhookSecret = `secret-${String(n8n.service.history.length)}`;
			await jest.advanceTimersByTimeAsync(60_000);
			if (model.top === undefined) return;
			model.known = model.top;
			model.url = n8n.url(model.top);
		},
	publishWhileDown:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const workflow = workflows[index] as SimulatedWorkflow;
			const wasPublished = workflow.published !== undefined;
			n8n.service.downUntil = Date.now() + OUTAGE;
			const isPublished = await over(n8n.publish(workflow), OUTAGE + 2 * SETTLED);
			expect(isPublished).toBe(wasPublished);
			if (isPublished) {
				model.publish(workflow, n8n.url(workflow));
				return;
			}
			await over(n8n.unpublish(workflow), SETTLED);
		},
	publishAgainWhileDown:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const workflow = workflows[index] as SimulatedWorkflow;
			if (workflow.published === undefined) return;
			n8n.service.downUntil = Date.now() + OUTAGE;
			await over(n8n.unpublish(workflow), 500);
			expect(await over(n8n.publish(workflow), SETTLED)).toBe(false);
			await actions.unpublish?.(index, 0)({ n8n, model, workflows });
			await jest.advanceTimersByTimeAsync(2 * OUTAGE);
		},
	unpublishWhileDown: (index, more) => async (world) => {
		world.n8n.service.downUntil = Date.now() + OUTAGE;
		await actions.unpublish?.(index, more)(world);
		await jest.advanceTimersByTimeAsync(2 * OUTAGE);
	},
	restartWhileDown: (index, more) => async (world) => {
		world.n8n.service.downUntil = Date.now() + OUTAGE;
		await actions.restart?.(index, more)(world);
		await jest.advanceTimersByTimeAsync(2 * OUTAGE);
	},
	stopListeningWhileDown:
		(index) =>
		async ({ n8n, model, workflows }) => {
			const stop = await over(
				n8n.listen(workflows[index] as SimulatedWorkflow, 'redirect'),
				SETTLED,
			);
			if (stop === undefined) return;
			n8n.service.downUntil = Date.now() + OUTAGE;
			await over(stop(), 2 * OUTAGE);
			model.known = model.top;
			model.url = model.top === undefined ? String(model.elsewhere) : n8n.url(model.top);
		},
};

const step = fc.tuple(fc.constantFrom(...Object.keys(actions)), fc.nat(2), fc.nat(5));

/** The registered URL; the token of a published trigger's URL has to be the current one. */
function bare({ service, url, credential }: SimulatedN8n, model: Model): string {
	const isTriggers = model.top !== undefined && model.url === url(model.top);
	if (!isTriggers) return withoutToken(service.url);
	expect(service.url.includes('?token=')).toBe(credential.webhookSecret !== undefined);
	return withoutToken(service.url);
}

/** After another system took the URL, the next renewal takes it back; when that is, is random. */
function allowRenewal({ n8n, model }: World): void {
	if (model.url !== outside || model.top === undefined) return;
	const renewed = n8n.url(model.top);
	if (withoutToken(n8n.service.url) === renewed)
		Object.assign(model, { url: renewed, known: model.top });
}

test('in random sequences, the URL is always where the rules say', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 9 }), async (steps) => {
			jest.clearAllTimers();
			const world = { n8n: new SimulatedN8n(), model: new Model(), workflows: workflowsFor(3) };
			for (const [name, index, more] of steps) {
				await actions[name]?.(index, more)(world);
				allowRenewal(world);
				expect([name, bare(world.n8n, world.model)]).toEqual([name, world.model.url]);
			}
		}),
		{ numRuns: runs(300) },
	);
}, 600_000);
