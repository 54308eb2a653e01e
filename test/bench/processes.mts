import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What a process and everything it has started use. */
export interface Usage {
	/**
	 * Resident memory in MB; what several processes share (PostgreSQL's buffers, say) counts once,
	 * in equal parts.
	 */
	memory: number;
	/** Open file descriptors. */
	handles: number;
	/** Those of them that are sockets. */
	sockets: number;
}

/** The numbers of all processes, with that of the one that started each. Linux only. */
function parents(): Map<number, number> {
	const found = new Map<number, number>();
	for (const name of readdirSync('/proc')) {
		if (!/^\d+$/.test(name)) continue;
		try {
			// "pid (name with any characters) state ppid ..."
			const [, ppid] = /^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
			found.set(Number(name), Number(ppid));
		} catch {
			// It has ended meanwhile.
		}
	}
	return found;
}

/** What a process and all its descendants use at this moment. */
export function usageOf(pid: number): Usage {
	const known = parents();
	const family = new Set([pid]);
	for (let before = 0; before < family.size;) {
		before = family.size;
		for (const [child, parent] of known) if (family.has(parent)) family.add(child);
	}
	const usage: Usage = { memory: 0, handles: 0, sockets: 0 };
	for (const member of family) {
		try {
			const memory = readFileSync(`/proc/${String(member)}/smaps_rollup`, 'utf8');
			const [, kilobytes] = /^Pss:\s+(\d+)/m.exec(memory) ?? [];
			usage.memory += Number(kilobytes ?? 0) / 1024;
			for (const name of readdirSync(`/proc/${String(member)}/fd`)) {
				usage.handles++;
				const target = readlinkSync(`/proc/${String(member)}/fd/${name}`);
				if (target.startsWith('socket:')) usage.sockets++;
			}
		} catch {
			// It, or the descriptor, has gone meanwhile.
		}
	}
	return usage;
}
