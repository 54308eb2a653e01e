import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { holds } from '../support/runs';
import { SimulatedN8n, type SimulatedWorkflow } from './support/simulatedN8n';

const SETTLED = 20_000;
const OUTAGE = 60_000;
const DAY = 24 * 3_600_000;

const outside = 'https://outside.example.com/events';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function workflowsFor(count: number): SimulatedWorkflow[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `workflow-${String(index)}`,
		parameters: { path: `path-${String(index)}`, events: ['smsStatus'] },
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
	/** What is registered, with its token. */
	url = '';
	/** Published workflows with the URL that each registered, the one published last at the end. */
	published: { workflow: SimulatedWorkflow; url: string }[] = [];
	/** The workflows in the order of their publishing, which is all that n8n keeps over a start. */
	private publishing: SimulatedWorkflow[] = [];
	known: SimulatedWorkflow | undefined;

	get top() {
		return this.published.at(-1);
	}

	publish(workflow: SimulatedWorkflow, url: string) {
		this.publishing = [...this.publishing.filter((each) => each !== workflow), workflow];
		this.remove(workflow);
		this.published.push({ workflow, url });
		Object.assign(this, { known: workflow, url });
	}

	/** The URL goes to the workflow published last. */
	giveToTop() {
		this.known = this.top?.workflow;
		this.url = this.top?.url ?? this.url;
	}

	remove(workflow: SimulatedWorkflow) {
		this.published = this.published.filter((each) => each.workflow !== workflow);
	}

	unpublish(workflow: SimulatedWorkflow) {
		const isHolder = this.known === workflow;
		this.remove(workflow);
		if (!isHolder) return;
		this.url = '';
		this.giveToTop();
	}

	start(urlOf: (workflow: SimulatedWorkflow) => string) {
		this.published = this.publishing
			.filter((each) => this.published.some(({ workflow }) => workflow === each))
			.map((workflow) => ({ workflow, url: urlOf(workflow) }));
		this.known = undefined;
		this.giveToTop();
	}
}

interface World {
	n8n: SimulatedN8n;
	model: Model;
	workflows: SimulatedWorkflow[];
}

/** The URL of a workflow with the token of the present secret. */
function urlOf({ n8n }: World, workflow: SimulatedWorkflow): string {
	const { webhookSecret } = n8n.credential;
	if (typeof webhookSecret !== 'string') return n8n.url(workflow);
	const token = createHmac('sha256', webhookSecret)
		.update('messaging-service-webhook')
		.digest('hex');
	return `${n8n.url(workflow)}?token=${token}`;
}

type Action = (world: World, index: number, more: number) => Promise<void>;

/** The requests of this n8n during an action. */
async function told({ n8n }: World, action: () => Promise<unknown>): Promise<string[]> {
	const before = n8n.service.history.length;
	await action();
	return n8n.service.history.slice(before);
}

function goDown({ n8n }: World, more: number) {
	n8n.service.downUntil = Date.now() + OUTAGE;
	n8n.service.isLying = more % 2 === 0;
}

async function comeBack({ n8n }: World) {
	await jest.advanceTimersByTimeAsync(2 * OUTAGE);
	n8n.service.isLying = false;
}

const actions: Record<string, Action> = {
	async publish(world, index) {
		const { n8n, model } = world;
		const workflow = world.workflows[index] as SimulatedWorkflow;
		// n8n publishes only what has changed.
		if (workflow.published !== undefined) {
			workflow.parameters.path = `${String(workflow.parameters.path)}x`;
		}
		const urls = await told(world, async () => {
			expect(await over(n8n.publish(workflow), SETTLED)).toBe(true);
		});
		model.publish(workflow, urlOf(world, workflow));
		// No moment without a URL, nor with that of another trigger.
		expect(new Set(urls)).toEqual(new Set([model.url]));
	},
	async unpublish({ n8n, model, workflows }, index) {
		const workflow = workflows[index] as SimulatedWorkflow;
		if (workflow.published === undefined) return;
		await over(n8n.unpublish(workflow), SETTLED);
		model.unpublish(workflow);
	},
	async restart(world, index) {
		const { n8n, model, workflows } = world;
		const order = [...workflows.slice(index), ...workflows.slice(0, index)];
		const urls = await told(world, async () => {
			await over(n8n.restart(order), SETTLED);
		});
		model.start((workflow) => urlOf(world, workflow));
		// In any order of starting, none takes the URL for a moment.
		expect(urls.filter((url) => url !== model.url)).toEqual([]);
	},
	async changeLeader(world, index, more) {
		const { n8n, model, workflows } = world;
		await n8n.loseLeadership(workflows);
		await jest.advanceTimersByTimeAsync(more < 5 ? SETTLED : 100);
		// The other leader may have set another URL, and have unpublished a workflow.
		n8n.service.url = outside;
		model.url = outside;
		const gone = workflows[index] as SimulatedWorkflow;
		if (more < 3) {
			gone.published = undefined;
			model.remove(gone);
		}
		await over(n8n.regainLeadership(workflows), SETTLED);
		// Without a published trigger, nothing tells the process that it leads again.
		if (model.published.length > 0) model.start((workflow) => urlOf(world, workflow));
		else model.known = undefined;
	},
	async waitForADay(world) {
		const urls = await told(world, async () => await jest.advanceTimersByTimeAsync(DAY));
		expect(urls).toEqual([]);
	},
	async loseTheDatabaseForADay(world) {
		world.n8n.isReady = false;
		await actions.waitForADay?.(world, 0, 0);
		world.n8n.isReady = true;
		await actions.waitForADay?.(world, 0, 0);
	},
	/** By hand, in this n8n or another: no published trigger is told. */
	async setFromOutside({ n8n, model }, _index, more) {
		const url = more % 2 === 0 ? outside : '';
		n8n.service.url = url;
		model.url = url;
		await Promise.resolve();
	},
	async becomeManual(world, index) {
		const { n8n, model } = world;
		const workflow = world.workflows[index] as SimulatedWorkflow;
		if (workflow.published === undefined) return;
		const { options } = workflow.parameters;
		workflow.parameters.options = { registration: 'manual' };
		const urls = await told(world, async () => await over(n8n.publish(workflow), SETTLED));
		expect(urls).toEqual([]);
		// Whoever registers URLs by hand is left alone, also when such a workflow is unpublished.
		await over(n8n.unpublish(workflow), SETTLED);
		workflow.parameters.options = options;
		model.remove(workflow);
		if (model.known === workflow) model.known = undefined;
	},
	async listen(world, index) {
		const { n8n } = world;
		const urls = await told(world, async () => {
			const stop = await over(n8n.listen(world.workflows[index] as SimulatedWorkflow), SETTLED);
			if (stop !== undefined) await over(stop(), SETTLED);
		});
		expect(urls).toEqual([]);
	},
	async changeSecret({ n8n }, _index, more) {
		if (more === 0) delete n8n.credential.webhookSecret;
		else n8n.credential.webhookSecret = `secret ${String(more)}`;
		await Promise.resolve();
	},
	async publishWhileDown(world, index, more) {
		const { n8n, model } = world;
		const workflow = world.workflows[index] as SimulatedWorkflow;
		const wasPublished = workflow.published !== undefined;
		if (wasPublished) workflow.parameters.path = `${String(workflow.parameters.path)}x`;
		goDown(world, more);
		expect(await over(n8n.publish(workflow), 30_000)).toBe(false);
		await over(n8n.unpublish(workflow), 100);
		await comeBack(world);
		const wasHolder = model.known === workflow;
		model.unpublish(workflow);
		if (model.top !== undefined) model.giveToTop();
		// Nobody has a claim to the URL: what the service has registered all the same stays.
		else if (more % 2 === 0 && !wasHolder) model.url = urlOf(world, workflow);
	},
	async unpublishWhileDown(world, index, more) {
		goDown(world, more);
		await actions.unpublish?.(world, index, more);
		await comeBack(world);
	},
	async restartWhileDown(world, index, more) {
		goDown(world, more);
		const { n8n, model, workflows } = world;
		const order = [...workflows.slice(index), ...workflows.slice(0, index)];
		await over(n8n.restart(order), SETTLED);
		await comeBack(world);
		model.start((workflow) => urlOf(world, workflow));
	},
};

/** Most rules are about several published workflows, so publishing comes more often. */
const name = fc.oneof(
	{ weight: 1, arbitrary: fc.constant('publish') },
	{ weight: 3, arbitrary: fc.constantFrom(...Object.keys(actions)) },
);
const step = fc.tuple(name, fc.nat(2), fc.nat(5));

test('in random sequences, the URL is always where the rules say', async () => {
	await holds(
		fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
			jest.clearAllTimers();
			const world = { n8n: new SimulatedN8n(), model: new Model(), workflows: workflowsFor(3) };
			for (const [action, index, more] of steps) {
				await actions[action]?.(world, index, more);
				expect([action, world.n8n.service.url]).toEqual([action, world.model.url]);
			}
		}),
		150,
	);
}, 600_000);
