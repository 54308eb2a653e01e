/**
 * The least that can handle the requests of the benchmarks, so that what is measured is the client:
 *
 *     node test/bench/service.mts
 *
 * Prints its address as JSON and ends with its standard input. `?latency=<ms>` of `/_bench` sets how
 * long responses take; `/people.csv?rows=<n>` is a file to read people from.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const storedNumbers = 100_000;
let latency = 0;

/** Pages of stored numbers as JSON, by page size and index: made once, for that is not measured. */
const pages = new Map<string, string>();

function storedPage(pageSize: number, pageIndex: number): string {
	const key = `${String(pageSize)}/${String(pageIndex)}`;
	const known = pages.get(key);
	if (known !== undefined) return known;
	const first = (pageIndex - 1) * pageSize;
	const length = pageIndex < 1 ? 0 : Math.max(0, Math.min(pageSize, storedNumbers - first));
	const page = JSON.stringify({
		pageIndex,
		totalPages: Math.ceil(storedNumbers / pageSize),
		totalRecords: storedNumbers,
		items: Array.from({ length }, (_, offset) => ({
			storageID: `customer-${String(first + offset)}`,
			number: `+4477${String(first + offset).padStart(8, '0')}`,
			parameter1: 'Ada',
			parameter2: 'Leeds',
			parameter3: String(first + offset),
		})),
	});
	pages.set(key, page);
	return page;
}

async function answer(response: ServerResponse, body: string): Promise<void> {
	if (latency > 0) await sleep(latency);
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(body);
}

/** A file with so many people: a header line, and one of each. */
function sendFile(response: ServerResponse, rows: number): void {
	const first = Math.floor(Math.random() * 700) * 100_000;
	const lines = Array.from(
		{ length: rows },
		(_, row) => `+4477${String(first + row).padStart(8, '0')},Name ${String(row)}\n`,
	);
	response.writeHead(200, { 'content-type': 'text/csv' });
	response.end(`phoneNumber,name\n${lines.join('')}`);
}

const server = createServer((request, response) => {
	const url = new URL(request.url ?? '/', 'http://127.0.0.1');
	if (url.pathname === '/people.csv') {
		sendFile(response, Number(url.searchParams.get('rows')));
		return;
	}
	if (url.pathname === '/_bench') {
		latency = Number(url.searchParams.get('latency'));
		response.end();
		return;
	}
	request.resume();
	request.on('end', () => {
		const [, pageSize, pageIndex] =
			/^\/api\/PhoneNumberStorageItem\/(\d+)\/(\d+)$/.exec(url.pathname) ?? [];
		const stored =
			pageSize === undefined ? undefined : storedPage(Number(pageSize), Number(pageIndex));
		void answer(response, stored ?? JSON.stringify(randomUUID()));
	});
});

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	console.log(JSON.stringify({ url: `http://127.0.0.1:${String(port)}` }));
});
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
