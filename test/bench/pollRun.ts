/**
 * What polls and Get Summary of an old account cost, by the nodes of one folder:
 *
 *     node --require ./test/bench/typescript.cjs test/bench/pollRun.ts <folder> <order> <messages>
 *
 * Prints requests and seconds as JSON. `poll.mts` runs it.
 */
import '../support/engineEnvironment.cjs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type * as Engine from '../support/engine';
import type * as Polls from '../support/poll';

const [folder = '', order = '', length = ''] = process.argv.slice(2);

const LATENCY_MS = 20;
const DAY_MS = 86_400_000;
/** Messages within the seven days of the poll, and contacts of a campaign of yesterday. */
const RECENT = 2000;
const CONTACTS = 200;
const NUMBERS = 100_000;

const now = Date.now();
const textOf = (time: number) => new Date(time).toISOString().slice(0, 19);
const account = { messages: Number(length), changed: -1, voiceCampaigns: 0 };

/** A message by its number, the oldest first: the recent ones within a week, the others five minutes apart. */
function message(number: number): IDataObject {
	const age = account.messages - number;
	const time = age <= RECENT ? (age * 7 * DAY_MS) / (RECENT + 20) : 7 * DAY_MS + age * 300_000;
	const dateCreated = textOf(now - time);
	return {
		newId: `0b9f4c1e-8a55-4d1c-9c8e-${String(number).padStart(12, '0')}`,
		...{ id: number + 1, client_Id: 1001, dateCreated, dateModified: dateCreated },
		phoneNumber: `+4477${String(number).padStart(8, '0')}`,
		status: number === account.changed ? 5 : 1,
		...{ price: 0.04, smsCount: 1, dateReceived: dateCreated, countryCode: 'GB' },
		...{ senderNumber: 'Shop', message: 'Your order is ready to be collected.' },
		campaignId: age <= CONTACTS ? 'yesterday' : null,
	};
}

/** A phone number of a voice campaign, after its calls and an SMS. */
function phoneNumber(number: number): IDataObject {
	const calls = Array.from({ length: 1 + (number % 3) }, (_, index) => ({
		...{ startTime: textOf(now), endTime: textOf(now), stage: 0, outcome: 3 },
		...{ attemptNumber: index + 1, secondsDuration: 0, price: 0.02, userInput: '' },
	}));
	const smss = number % 4 === 0 ? [{ status: number % 8 === 0 ? 1 : 5, smsCount: 1 }] : [];
	return { id: number + 1, number: `+4478${number}`, name: '', parameters: [], calls, smss };
}

/** Which message is at a place of the list. The multiplier is prime: every message has a place. */
function at(place: number): number {
	if (order === 'newestLast') return place;
	return order === 'newestFirst' ? account.messages - 1 - place : (place * 7919) % account.messages;
}

function respond(url: URL): unknown {
	const numbers = /phonenumbers\/(\d+)\/(\d+)$/.exec(url.pathname);
	if (numbers !== null) {
		const [size, page] = numbers.slice(1).map(Number) as [number, number];
		const first = (page - 1) * size;
		const count = Math.max(0, Math.min(size, NUMBERS - first));
		return Array.from({ length: count }, (_, index) => phoneNumber(first + index));
	}
	const attempts = [1, 2, 3].map((attemptNumber) => ({ interval: 5, attemptNumber }));
	const campaign = { id: 1, startDate: textOf(now).slice(0, 10), finishtime: '23:59', attempts };
	if (/voice\/\d+$/.test(url.pathname)) return campaign;
	if (/campaigns\/yesterday/i.test(url.pathname)) {
		const startDateTime = new Date(now - DAY_MS).toISOString();
		return { id: 'yesterday', startDateTime, recipientCount: CONTACTS, status: 3 };
	}
	const size = Number(url.searchParams.get('pageSize'));
	const pageIndex = Number(url.searchParams.get('pageIndex') ?? 1);
	const isMessages = url.pathname.endsWith('SMSMessages');
	const total = isMessages ? account.messages : account.voiceCampaigns;
	const first = (pageIndex - 1) * size;
	const count = Math.max(0, Math.min(size, total - first));
	const items = Array.from({ length: count }, (_, index) =>
		isMessages ? message(at(first + index)) : campaign,
	);
	return { pageIndex, totalPages: Math.ceil(total / size), totalRecords: total, items };
}

let requests = 0;
const server = createServer((request, response) => {
	requests++;
	const body = JSON.stringify(respond(new URL(request.url ?? '/', 'http://127.0.0.1')));
	void sleep(LATENCY_MS).then(() => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(body);
	});
});

/** What something costs; what it throws instead of a result. */
async function cost(action: () => Promise<unknown>) {
	const start = performance.now();
	requests = 0;
	const result = await action().catch((error: Error) => error.message);
	return { requests, seconds: (performance.now() - start) / 1000, result };
}

async function measure() {
	server.listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const credential = { baseUrl, authentication: 'none', requestsPerSecond: 0 };
	const { PolledWorkflow } = (await import(path.join(folder, 'test/support/poll'))) as typeof Polls;
	const { runAction } = (await import(path.join(folder, 'test/support/engine'))) as typeof Engine;
	const events = (...kinds: string[]) =>
		new PolledWorkflow({ credential, parameters: { events: kinds } });

	const workflow = events('smsStatus');
	await workflow.poll().catch(() => null);
	account.messages += 10;
	account.changed = account.messages - 1000;
	const poll = await cost(async () => (await workflow.poll())?.length ?? 0);
	const summary = await cost(async () => {
		const { run, error } = await runAction({
			credential,
			parameters: {
				...{ resource: 'smsCampaign', operation: 'getSummary' },
				campaignId: { __rl: true, mode: 'id', value: 'yesterday' },
			},
		});
		if (error !== undefined) throw error;
		return JSON.stringify(run).includes(`"messages":${CONTACTS}`);
	});
	const calls = events('callAttempted', 'smsStatus');
	Object.assign(account, { messages: 0, voiceCampaigns: 1 });
	await calls.poll();
	const stateBytes = JSON.stringify(calls.staticData).length;
	console.log(JSON.stringify({ poll, summary, stateBytes }));
	server.close();
}

void measure();
