import { host } from './host.ts';

/**
 * What n8n itself does differently in its versions, as far as the tests see it. docs/install.md and
 * the table of docs/trigger.md tell users; everything that is not named here is the same.
 */
interface N8nDifferences {
	/** What n8n says of a service that is down: the message of our error or, n8n 1, its description. */
	serviceDown: RegExp;
	/** The newest version of the AI Agent node. */
	agentVersion: number;
	/** What lets n8n take a flood of events on a machine with 2 cores. */
	flood: Record<string, string>;
	/** The options of the trigger with which n8n stores an event before it responds. */
	storesFirst: { responseMode?: 'lastNode' };
}

const differences: Record<number, N8nDifferences> = {
	2: {
		serviceDown: /^Could not connect/,
		agentVersion: 3.1,
		// N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE is set for every n8n of the tests.
		flood: {},
		storesFirst: {},
	},
	1: {
		serviceDown: /^Check the Base URL in the credential and whether the service is running/,
		agentVersion: 3,
		// It knows no lazy isolates.
		flood: { N8N_EXPRESSION_ENGINE: 'legacy' },
		storesFirst: { responseMode: 'lastNode' },
	},
};

/** Major version of the n8n under test. */
function n8nMajor(): number {
	return Number.parseInt(host().installation.version, 10);
}

/** What is special about the n8n under test. */
export function n8nDifferences(): N8nDifferences {
	const own = differences[n8nMajor()];
	if (own === undefined) throw new Error(`Nothing is known of n8n ${host().installation.version}.`);
	return own;
}

/** Defines a test of what n8n 1 does not have; there it is left out, and the output says why. */
export function itOnN8n2(
	reason: string,
): (name: string, run: () => Promise<void>, timeout?: number) => void {
	if (n8nMajor() >= 2) return it;
	return (name) => {
		console.warn(`Left out on n8n 1 (${reason}): ${name}`);
	};
}
