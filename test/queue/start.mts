/**
 * `npm run start:queue`: what `npm start` gives, in queue mode: a main process, two workers and a
 * webhook processor with Redis and PostgreSQL. It starts afresh each time.
 */
import path from 'node:path';
import { freePort } from '../../host/ports.ts';
import { localFolder } from '../../host/runtime.mjs';
import { runTrial } from '../../host/trial.ts';
import { readTrialOptions } from '../../host/trialOptions.ts';
import { QueueStand } from './stand/stand.ts';

const options = readTrialOptions('npm run start:queue');
const home = path.join(localFolder, 'queue');
let stand: QueueStand | undefined;

await runTrial({
	name: 'queue',
	home,
	isFresh: true,
	options,
	startN8n: async (watch) => {
		const preferredPort = await freePort(options.n8nPort);
		stand = await QueueStand.start({ folder: home, preferredPort });
		for (const server of stand.servers) watch(server);
		return stand.url;
	},
	end: async () => await stand?.stop(),
});
