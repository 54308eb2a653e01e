import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { holds } from '../support/runs';
import {
	over,
	SimulatedN8n,
	simulatedWorkflow,
	type SimulatedWorkflow,
} from './support/simulatedN8n';

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

/**
 * What should be registered, by the rules of docs/trigger.md. It knows nothing of how the code keeps
 * track.
 */
class Model {
	/** What is registered, with its token. */
	url = '';
	/** Published workflows, the one published first at the beginning. */
	published: SimulatedWorkflow[] = [];
	/** Whose URL this n8n has registered since its last start. */
	known: SimulatedWorkflow | undefined;
	/** The secret of the credential when a workflow was last published or started. */
	private secret = '';

	get first() {
		return this.published.find(({ parameters }) => !isManual(parameters));
	}

	private giveToFirst() {
		this.known = this.first;
		if (this.first !== undefined) this.url = urlWith(this.first, this.secret);
	}

	publish(workflow: SimulatedWorkflow, secret: unknown) {
		if (!this.published.includes(workflow)) this.published.push(workflow);
		this.secret = String(secret);
		if (!isManual(workflow.parameters)) this.giveToFirst();
		else if (this.known === workflow) this.giveToFirst();
	}

	remove(workflow: SimulatedWorkflow) {
		this.published = this.published.filter((each) => each !== workflow);
	}

	unpublish(workflow: SimulatedWorkflow) {
		const isHolder = this.known === workflow;
		this.remove(workflow);
		if (!isHolder) return;
		this.url = '';
		this.giveToFirst();
	}

	start(secret: unknown) {
		this.secret = String(secret);
		this.giveToFirst();
	}
}

const isManual = ({ options }: SimulatedWorkflow['parameters']) =>
	(options as { registration?: string } | undefined)?.registration === 'manual';

function urlWith({ parameters }: SimulatedWorkflow, secret: string): string {
	const token = createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');
	return `https://n8n.example.com/webhook/${String(parameters.path)}?token=${token}`;
}

type Setup = 'one process' | 'two processors' | 'unreachable';

/** A world of three workflows of one name, and the events that were sent so far. */
class World {
	readonly n8n = new SimulatedN8n(
		['a', 'b', 'c'].map((id) => ({ ...simulatedWorkflow(id), name: 'same' })),
	);
	readonly model = new Model();
	/** Whether another process may have unpublished workflows. */
	hasOtherLeader = false;
	private events = 0;

	/** @param setup in queue mode; in one process, perhaps one that does not reach its public address */
	constructor(setup: Setup) {
		if (setup === 'two processors') this.n8n.startProcessors(2);
		this.n8n.reaches.public = setup !== 'unreachable';
	}

	workflow(index: number): SimulatedWorkflow {
		return this.n8n.workflows[index] as SimulatedWorkflow;
	}

	get secret() {
		return this.n8n.credential.webhookSecret;
	}

	/** The requests to the service during an action. */
	async told(action: () => Promise<unknown>): Promise<string[]> {
		const before = this.n8n.service.history.length;
		await action();
		return this.n8n.service.history.slice(before);
	}

	/** The service delivers an event; resolves to its number when n8n acknowledges it, in its time. */
	async send(number = this.events++): Promise<number | undefined> {
		const { url } = this.n8n.service;
		if (!url.startsWith('https://n8n.example.com')) return undefined;
		const event = { webHookType: 1, data: { Id: number, statusCode: 1 } };
		const { statusCode } = await this.n8n.deliver(url, event);
		return statusCode < 300 ? number : undefined;
	}

	/** How often a workflow has an event. */
	count(workflow: SimulatedWorkflow, number: number): number {
		return workflow.events.filter((each) => each === number).length;
	}

	/** While nothing changes, each published workflow gets an event once, or nobody gets it. */
	async expectEvent(): Promise<void> {
		const number = await over(this.send(), SETTLED);
		const isHere = this.model.published.some(({ parameters }) =>
			this.model.url.includes(`/${String(parameters.path)}?`),
		);
		expect(number !== undefined).toBe(isHere);
		if (number === undefined) return;
		for (const workflow of this.model.published) {
			expect([workflow.id, this.count(workflow, number)]).toEqual([workflow.id, 1]);
		}
		const isGone = ({ message }: { message: string }) => message.includes('is gone, and gets no');
		if (!this.hasOtherLeader) expect(this.n8n.entries.filter(isGone)).toEqual([]);
	}
}

type Action = (world: World, index: number, more: number) => Promise<void>;

function goDown({ n8n }: World, more: number) {
	n8n.service.downUntil = Date.now() + OUTAGE;
	n8n.service.isLying = more % 2 === 0;
}

async function comeBack({ n8n }: World) {
	await jest.advanceTimersByTimeAsync(2 * OUTAGE);
	n8n.service.isLying = false;
}

function rotate<Value>(list: Value[], index: number): Value[] {
	return [...list.slice(index), ...list.slice(0, index)];
}

/** n8n publishes only what has changed. */
function change(workflow: SimulatedWorkflow, more: number) {
	if (workflow.published === undefined) return;
	if (more % 2 === 0) workflow.nodeName = `${workflow.nodeName}x`;
	else workflow.parameters.path = `${String(workflow.parameters.path)}x`;
}

/** Who registers URLs himself has to register the one with the present token. */
function registerByHand({ n8n, model, secret }: World) {
	const holder = model.published.find(({ parameters }) =>
		model.url.includes(`/${String(parameters.path)}?`),
	);
	if (holder === undefined || !isManual(holder.parameters)) return;
	model.url = urlWith(holder, String(secret));
	n8n.service.url = model.url;
}

const actions: Record<string, Action> = {
	async publish(world, index, more) {
		const { n8n, model, secret } = world;
		const workflow = world.workflow(index);
		change(workflow, more);
		const before = model.first === workflow ? undefined : model.url;
		const urls = await world.told(async () => {
			expect(await over(n8n.publish(workflow), SETTLED)).toBe(true);
		});
		model.publish(workflow, secret);
		// No moment without a URL, nor with that of another trigger.
		for (const url of urls) expect([model.url, before]).toContain(url);
	},
	async unpublish(world, index) {
		const { n8n, model } = world;
		const workflow = world.workflow(index);
		if (workflow.published === undefined) return;
		await over(n8n.unpublish(workflow), SETTLED);
		model.unpublish(workflow);
	},
	async toggleRegistration(world, index) {
		const { n8n, model, secret } = world;
		const workflow = world.workflow(index);
		const registration = isManual(workflow.parameters) ? 'automatic' : 'manual';
		workflow.parameters.options = { registration };
		if (workflow.published === undefined) return;
		expect(await over(n8n.publish(workflow), SETTLED)).toBe(true);
		model.publish(workflow, secret);
		registerByHand(world);
	},
	async restart(world, index) {
		const { n8n, model, secret } = world;
		const urls = await world.told(async () => {
			await over(n8n.restart(rotate(n8n.workflows, index)), SETTLED);
		});
		model.start(secret);
		// In any order of starting, none takes the URL for a moment.
		expect(urls.filter((url) => url !== model.url)).toEqual([]);
	},
	/** Events that come while n8n starts, before it has started any workflow. */
	async restartUnderEvents(world, index) {
		const { n8n, model, secret } = world;
		// Then it has not stored who is there.
		if (!n8n.reaches.public) return;
		const restarting = n8n.restart(rotate(n8n.workflows, index), 3000);
		const acknowledged = [];
		for (let times = 0; times < 5; times++) {
			acknowledged.push(world.send());
			await jest.advanceTimersByTimeAsync(700);
		}
		await over(restarting, SETTLED);
		model.start(secret);
		for (const number of await Promise.all(acknowledged)) {
			if (number === undefined) continue;
			for (const each of model.published) expect(world.count(each, number)).toBe(1);
		}
	},
	/** Killed while it hands on: what is not acknowledged comes again. */
	async killAndRepeat(world, index, more) {
		const { n8n, model, secret } = world;
		let isAcknowledged = false;
		const number = 1_000_000 + Math.round(Date.now() % 100_000_000);
		void world.send(number).then((sent) => {
			isAcknowledged = sent !== undefined;
		});
		await jest.advanceTimersByTimeAsync(3 * more);
		await over(n8n.restart(rotate(n8n.workflows, index)), SETTLED);
		model.start(secret);
		const isHere = isAcknowledged || (await over(world.send(number), SETTLED)) !== undefined;
		if (!isHere) return;
		for (const each of model.published) expect(world.count(each, number)).toBeGreaterThan(0);
	},
	/** A workflow that cannot store an event gets it when the service repeats it, and nobody else. */
	async failAndRepeat(world, index) {
		const { model, n8n } = world;
		const failing = world.workflow(index);
		if (failing.published === undefined || !model.published.some((each) => each !== failing))
			return;
		failing.isFailing = true;
		const number = 2_000_000 + Math.round(Date.now() % 100_000_000);
		const isSent = (await over(world.send(number), SETTLED)) !== undefined;
		expect(isSent).toBe(false);
		failing.isFailing = false;
		if ((await over(world.send(number), SETTLED)) === undefined) return;
		const isOneProcess = n8n.processes === 1;
		for (const each of model.published) {
			const times = world.count(each, number);
			expect(times).toBeGreaterThan(0);
			if (isOneProcess) expect(times).toBe(1);
		}
	},
	async changeLeader(world, index, more) {
		const { n8n, model, secret } = world;
		world.hasOtherLeader = true;
		await n8n.loseLeadership();
		await jest.advanceTimersByTimeAsync(more < 5 ? SETTLED : 100);
		// The other leader may have set another URL, and have unpublished a workflow.
		n8n.service.url = outside;
		model.url = outside;
		if (more < 3) {
			world.workflow(index).published = undefined;
			model.remove(world.workflow(index));
		}
		await over(n8n.regainLeadership(), SETTLED);
		// Without a published trigger, nothing tells the process that it leads again.
		if (model.published.length > 0) model.start(secret);
		else model.known = undefined;
	},
	async waitForADay(world) {
		const urls = await world.told(async () => await jest.advanceTimersByTimeAsync(DAY));
		expect(urls).toEqual([]);
	},
	async loseTheDatabaseForADay(world) {
		world.n8n.isReady = false;
		await actions.waitForADay?.(world, 0, 0);
		world.n8n.isReady = true;
	},
	/** By hand, in this n8n or another: no published trigger is told. */
	async setFromOutside({ n8n, model }, _index, more) {
		const url = more % 2 === 0 ? outside : '';
		n8n.service.url = url;
		model.url = url;
		await Promise.resolve();
	},
	async listen(world, index) {
		const { n8n } = world;
		const urls = await world.told(async () => {
			const stop = await over(n8n.listen(world.workflow(index)), SETTLED);
			if (stop !== undefined) await over(stop(), SETTLED);
		});
		expect(urls).toEqual([]);
	},
	async poll(world, index) {
		world.n8n.poll(world.workflow(index));
		await Promise.resolve();
	},
	async changeSecret(world, _index, more) {
		world.n8n.credential.webhookSecret = `secret ${String(more)}`;
		registerByHand(world);
		await Promise.resolve();
	},
	async publishWhileDown(world, index, more) {
		const { n8n, model } = world;
		const workflow = world.workflow(index);
		if (isManual(workflow.parameters)) return;
		const wasHolder = model.known === workflow;
		change(workflow, more);
		goDown(world, more);
		expect(await over(n8n.publish(workflow), 30_000)).toBe(false);
		await over(n8n.unpublish(workflow), 100);
		await comeBack(world);
		model.unpublish(workflow);
		model.start(world.secret);
		// Nobody has a claim to the URL: what the service has registered all the same stays.
		if (model.first === undefined && more % 2 === 0 && !wasHolder) {
			model.url = urlWith(workflow, String(world.secret));
		}
	},
	/** Unpublished, and before it has left another one that cannot be published, or after that. */
	async replaceWhileDown(world, index, more) {
		const { n8n, model } = world;
		const [workflow, other] = [world.workflow(index), world.workflow((index + 1) % 3)];
		if (workflow.published === undefined || isManual(other.parameters)) return;
		if (other.published !== undefined) return;
		goDown(world, 1);
		await over(n8n.unpublish(workflow), 1000 * more + 100);
		expect(await over(n8n.publish(other), 30_000)).toBe(false);
		await over(n8n.unpublish(other), 100);
		await comeBack(world);
		model.unpublish(workflow);
		if (model.first !== undefined) model.start(world.secret);
	},
	async unpublishWhileDown(world, index, more) {
		goDown(world, more);
		await actions.unpublish?.(world, index, more);
		await comeBack(world);
	},
	async restartWhileDown(world, index, more) {
		goDown(world, more);
		const { n8n, model, secret } = world;
		await over(n8n.restart(rotate(n8n.workflows, index)), SETTLED);
		await comeBack(world);
		model.start(secret);
	},
};

/** Most rules are about several published workflows, so publishing comes more often. */
const name = fc.oneof(
	{ weight: 1, arbitrary: fc.constant('publish') },
	{ weight: 3, arbitrary: fc.constantFrom(...Object.keys(actions)) },
);
const step = fc.tuple(name, fc.nat(2), fc.nat(5));

/** Steps such as `publish b`, of the workflows a, b and c. */
const inTurn = (steps: string) =>
	steps.split(', ').map((each): [action: string, index: number, more: number] => {
		const [action = '', workflow = 'a'] = each.split(' ');
		return [action, 'abc'.indexOf(workflow), 0];
	});

/** What random sequences have found once. */
const examples: [ReturnType<typeof inTurn>, Setup][] = [
	// The first one still takes events with the token of the secret before.
	[inTurn('publish b, toggleRegistration a, changeSecret, publish a'), 'one process'],
	[inTurn('publish a, publish b, poll a'), 'two processors'],
	[inTurn('publish c, changeLeader, publish a, poll c, publish a'), 'two processors'],
	// A secret that was changed before the user registers URLs himself.
	[inTurn('publish a, changeSecret, toggleRegistration a, waitForADay'), 'one process'],
	// What the user has registered with the path of a trigger that was automatic before stays his.
	[inTurn('publish b, setFromOutside, toggleRegistration b, publish a'), 'one process'],
];

test('in random sequences, the URL is where the rules say, and each workflow gets each event', async () => {
	await holds(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 12 }),
			fc.constantFrom<Setup>('one process', 'two processors', 'unreachable'),
			async (steps, setup) => {
				jest.clearAllTimers();
				const world = new World(setup);
				for (const [action, index, more] of steps) {
					await actions[action]?.(world, index, more);
					expect([action, world.n8n.service.url]).toEqual([action, world.model.url]);
					await world.expectEvent();
				}
			},
		),
		25,
		{ seeds: [1788616099, -1674944987], examples },
	);
}, 600_000);
