/**
 * `npm run start:queue`: what `npm start` gives, in queue mode: a main process, two workers and a
 * webhook processor with Redis and PostgreSQL. It starts afresh each time.
 *
 *     npm run start:queue -- [--no-demo] [--exit-after-demo]
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../host/ports.ts';
import { localFolder } from '../../host/runtime.mjs';
import { demoOptions, runTrial, usualN8nPort } from '../../host/trial.ts';
import { QueueStand } from './stand/stand.ts';

const { values: demo } = parseArgs({ options: demoOptions });
const home = path.join(localFolder, 'queue');
let stand: QueueStand | undefined;

await runTrial({
	name: 'queue',
	home,
	demo,
	startN8n: async (watch) => {
		rmSync(home, { recursive: true, force: true });
		const preferredPort = await freePort(usualN8nPort);
		stand = await QueueStand.start({ folder: home, preferredPort });
		for (const server of stand.servers) watch(server);
		return stand.url;
	},
	end: async () => await stand?.stop(),
});
