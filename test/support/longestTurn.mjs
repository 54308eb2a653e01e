/**
 * Loaded into a process with `--import`: writes the longest turn of its event loop (in milliseconds of CPU time, so that
 * a busy machine does not count) into the file that the variable LONGEST_TURN_FILE names.
 */
import { writeFileSync } from 'node:fs';

const file = process.env.LONGEST_TURN_FILE;
let longest = 0;
let last = process.cpuUsage();

const measure = () => {
	const { user, system } = process.cpuUsage(last);
	last = process.cpuUsage();
	const turn = (user + system) / 1000;
	if (turn <= longest || file === undefined) return;
	longest = turn;
	writeFileSync(file, String(longest));
};

// Starting takes one long turn, which nobody waits for.
setTimeout(() => {
	last = process.cpuUsage();
	setInterval(measure, 1).unref();
}, 2000).unref();
