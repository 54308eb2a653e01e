import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { installDebianPackages } from '../../../host/debian.ts';

/** The database programs that queue mode needs, as files. */
export interface QueuePrograms {
	redis: string;
	/** The folder with PostgreSQL's programs. */
	postgres: string;
}

const onPath = (): string[] => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

/** Debian keeps PostgreSQL's server programs, by version, where PATH does not lead. */
function debianPostgres(): string[] {
	const folder = '/usr/lib/postgresql';
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => path.join(folder, version, 'bin'));
}

function find(): Partial<QueuePrograms> {
	const redis = onPath()
		.map((folder) => path.join(folder, 'redis-server'))
		.find((file) => existsSync(file));
	const postgres = [...debianPostgres(), ...onPath()].find((folder) =>
		['initdb', 'postgres', 'psql'].every((name) => existsSync(path.join(folder, name))),
	);
	return {
		...(redis === undefined ? {} : { redis }),
		...(postgres === undefined ? {} : { postgres }),
	};
}

/**
 * Redis and PostgreSQL of this machine, installed from Debian's packages when they are missing and
 * we may. Fails with what is missing, and what to do.
 */
export async function provideQueuePrograms(): Promise<QueuePrograms> {
	const packages = () => {
		const { redis, postgres } = find();
		return [
			...(redis === undefined ? ['redis-server'] : []),
			...(postgres === undefined ? ['postgresql'] : []),
		];
	};
	const missing = packages();
	if (missing.length > 0) {
		await installDebianPackages({ names: missing, neededBy: 'Queue mode', usually: '30 s' });
	}
	const { redis, postgres } = find();
	if (redis === undefined || postgres === undefined) {
		throw new Error(`Queue mode needs ${packages().join(' and ')}, and apt-get did not bring it.`);
	}
	return { redis, postgres };
}
