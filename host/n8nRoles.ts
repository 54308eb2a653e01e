/** What an n8n process does: all of it, or its part in queue mode. */
export type N8nRole = 'main' | 'worker' | 'webhook';

/** n8n's command for each role. */
export const n8nCommands: Record<N8nRole, string[]> = {
	main: ['start'],
	worker: ['worker', '--concurrency=10'],
	webhook: ['webhook'],
};
