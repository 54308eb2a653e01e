/**
 * What the node makes of files that are no lists, in a process of its own, whose memory is watched:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/support/hostileFiles.ts
 *
 * Prints a line of JSON for each file (`FileReading`). The files exist nowhere: they are made while
 * they are read.
 */
import './engineEnvironment.cjs';
import { createCipheriv } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { peakOf, resetPeak } from '../bench/peakMemory';
import { streamedFile } from './binaryFiles';
import { runAction } from './engine';

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 * MEGABYTE;
const CHUNK = 64 * 1024;
const LIST = 'phone,name\n+447700900001,Ada\n';

/** What became of a file. */
export interface FileReading {
	name: string;
	/** Title of its error. */
	message?: string;
	/** Rows that were read, and recipients that they became. */
	rows?: number;
	recipients?: number;
	/** Megabytes that were read of it. */
	read: number;
	/** Megabytes by which resident memory grew at the most, where the system tells. */
	growth?: number;
}

interface Hostile {
	/** What the file starts with, and what follows again and again. */
	start: string | Buffer;
	rest: string | Buffer;
	/** A gigabyte unless given. */
	bytes?: number;
	fileOptions?: IDataObject;
	options?: IDataObject;
}

/** A thousandth of what it holds. Several gzip files in one are a gzip file too. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
/** The same in each run. */
const rubbish = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
	Buffer.alloc(16 * CHUNK),
);
const rubbishText = Buffer.from(rubbish.map((byte) => (byte === 0 || byte === 0x22 ? 1 : byte)));

const files: Record<string, Hostile> = {
	'gzip bomb': { start: bomb, rest: bomb },
	'gzip bomb in an encoding': {
		start: bomb,
		rest: bomb,
		fileOptions: { encoding: 'windows-1252' },
	},
	'endless line': { start: LIST, rest: 'x'.repeat(CHUNK) },
	'endless header': { start: 'phone', rest: 'x'.repeat(CHUNK) },
	'unclosed quote': { start: `${LIST}+447700900002,"Bob\n`, rest: 'Carol\n'.repeat(10_000) },
	'endless cells': { start: LIST, rest: ','.repeat(CHUNK) },
	'endless columns': {
		start: `phone,${Array.from({ length: 140_000 }, (_, index) => index).join(',')}\n`,
		rest: ','.repeat(CHUNK),
	},
	'endless JSON line': {
		start: '{"phone":"+447700900001","name":"Ada"}\n{"phone":"',
		rest: '4'.repeat(CHUNK),
	},
	'rubbish in a list': { start: LIST.repeat(3000), rest: rubbish },
	rubbish: { start: '', rest: rubbish },
	'rubbish without zeros': { start: '', rest: rubbishText },
	'rubbish rows': {
		start: LIST,
		rest: rubbishText,
		bytes: 16 * MEGABYTE,
		fileOptions: { encoding: 'windows-1252' },
		options: { unusable: 'skip', duplicates: 'skip' },
	},
	'endless duplicates': {
		start: LIST,
		rest: '+447700900001,Ada\n'.repeat(10_000),
		bytes: 9 * MEGABYTE,
		options: { unusable: 'skip', duplicates: 'skip' },
	},
};

/** As n8n does while it starts: see `rowMaker`. */
function useUpShapes(): object[] {
	return Array.from({ length: 2000 }, (_, index) => {
		const object: Record<string, number> = {};
		object[`field${index}`] = index;
		return object;
	});
}

function* chunksOf({ start, rest, bytes = GIGABYTE }: Hostile): Generator<Buffer> {
	let made = 0;
	for (let part = Buffer.from(start); made < bytes; part = Buffer.from(rest)) {
		for (let at = 0; at < part.length; at += CHUNK) yield part.subarray(at, at + CHUNK);
		made += part.length;
	}
}

async function read(name: string, file: Hostile): Promise<FileReading> {
	let bytes = 0;
	const stream = () =>
		Readable.from(chunksOf(file)).on('data', (chunk: Buffer) => (bytes += chunk.length));
	globalThis.gc?.();
	resetPeak(process.pid);
	const before = process.memoryUsage.rss() / MEGABYTE;
	const { error, items } = await runAction({
		credential: { baseUrl: 'http://127.0.0.1:9', authentication: 'none' },
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Shop',
			contactsSource: 'file',
			phoneNumberField: 'phone',
			additionalFields: { otherFields: { name: 'name' } },
			dryRun: true,
			fileOptions: file.fileOptions ?? {},
			options: file.options ?? {},
		},
		files: [streamedFile(stream)],
	});
	const peak = peakOf(process.pid);
	const { details, recipients } = (items[0]?.json ?? {}) as {
		details?: { rows: number };
		recipients?: number;
	};
	return {
		name,
		...(error === undefined ? { rows: details?.rows, recipients } : { message: error.message }),
		read: Math.round(bytes / MEGABYTE),
		...(peak === undefined ? {} : { growth: Math.round(peak - before) }),
	};
}

async function main(): Promise<void> {
	const kept = useUpShapes();
	for (const [name, file] of Object.entries(files)) {
		console.log(JSON.stringify(await read(name, file)));
	}
	// Until here, they must not be removed.
	kept.length = 0;
}

void main();
