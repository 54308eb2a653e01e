import { readFileSync, writeFileSync } from 'node:fs';

/** Begins to watch the highest resident memory of a process, where the system can (Linux). */
export function resetPeak(pid: number): void {
	try {
		writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
	} catch {
		// Not Linux, or not allowed: no memory figures then.
	}
}

/** The highest resident memory since then, in megabytes; undefined where the system does not tell. */
export function peakOf(pid: number): number | undefined {
	try {
		const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
		const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
		return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
	} catch {
		return undefined;
	}
}
