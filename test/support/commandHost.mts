/** A process that takes commands, for the tests of commands.ts. Tells its address to its parent. */
import { takeCommands } from './commands.mts';

process.send?.(
	await takeCommands(async (command: { give?: unknown; fail?: string; die?: true }) => {
		if (command.die === true) process.kill(process.pid, 'SIGKILL');
		if (command.fail !== undefined) throw new Error(command.fail);
		return await Promise.resolve(command.give);
	}),
);
