import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import axios, { type AxiosInstance } from 'axios';
import { voiceBody } from '../setup';

/** Reads a voice campaign by time alone: what has ended since the last look, minute by minute. */

const numberCount = 2000;
const rate = 240;

interface CallRecord {
	endTime: string;
	attemptNumber: number;
	outcome: number;
}

interface Running {
	http: AxiosInstance;
	kill: (signal: NodeJS.Signals) => Promise<void>;
}

const start = async (database: string): Promise<Running> => {
	const child = spawn(
		process.execPath,
		[
			'--disable-warning=ExperimentalWarning',
			'sandbox/service/main.ts',
			...['--port', '0', '--json', '--exit-with-stdin', '--database', database],
		],
		{ stdio: ['pipe', 'pipe', 'inherit'] },
	);
	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const line = await new Promise<string>((resolve) =>
		createInterface({ input: child.stdout }).once('line', resolve),
	);
	const { url } = JSON.parse(line) as { url: string };
	return {
		http: axios.create({ baseURL: url, headers: { 'X-Api-Key': 'sandbox-key' }, proxy: false }),
		kill: (signal) => {
			child.kill(signal);
			return ended;
		},
	};
};

/** The zone of the settings' default: the records carry no zone. */
const utcOf = (local: string): string => new Date(`${local}+05:30`).toISOString();

const keyOf = (number: unknown, attempt: unknown, endTime: string, outcome: unknown): string =>
	[number, attempt, endTime, outcome].join(' ');

/** A reader that knows nothing but the time of its last look. */
class Reader {
	readonly seen: string[] = [];
	looks = 0;
	#since = '';

	async look(http: AxiosInstance, id: number): Promise<boolean> {
		const { data: clock } = await http.get<{ now: string }>('/_sandbox/time');
		const { data: campaign } = await http.get<{ campaignStatus: number }>(
			`/api/campaigns/voice/${String(id)}`,
		);
		const { data: numbers } = await http.get<{ number: string; calls: CallRecord[] }[]>(
			`/api/campaigns/voice/${String(id)}/phonenumbers/${String(numberCount)}/1`,
		);
		for (const { number, calls } of numbers) {
			for (const { endTime, attemptNumber, outcome } of calls) {
				const endedAt = utcOf(endTime);
				if (endedAt <= this.#since || endedAt > clock.now) continue;
				this.seen.push(keyOf(number, attemptNumber, endedAt, outcome));
			}
		}
		this.#since = clock.now;
		this.looks += 1;
		return campaign.campaignStatus === 2;
	}
}

const createCampaign = async ({ http }: Running): Promise<number> => {
	const endings = ['706', '703', '721', '704', '709'];
	const phoneNumbers = Array.from({ length: numberCount }, (_, index) => ({
		number: `+4477${String(index).padStart(5, '0')}${endings[index % endings.length] ?? ''}`,
	}));
	const { data } = await http.post<{ id: number }>(
		'/api/campaigns/voice',
		voiceBody({ phoneNumbers, attempts: [{ interval: 5 }, { interval: 5 }, { interval: 5 }] }),
	);
	// 09:00 in the default zone is 03:30 in UTC.
	await http.post('/_sandbox/time', { to: '2999-01-10T03:30:00Z', rate });
	return data.id;
};

const truthOf = async ({ http }: Running): Promise<string[]> => {
	const { data } = await http.get<{ total: number; items: Record<string, unknown>[] }>(
		'/_sandbox/truth/calls?limit=100000',
	);
	expect(data.items).toHaveLength(data.total);
	return data.items.map(({ phoneNumber, attemptNumber, endTime, outcome }) =>
		keyOf(phoneNumber, attemptNumber, String(endTime), outcome),
	);
};

const minute = 60_000 / rate;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each([
	['while it runs', 0],
	['with a kill -9 in the middle of it', 4],
])(
	'a reader that looks every minute by time alone misses nothing and sees nothing twice, %s',
	async (_, killAfter) => {
		const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
		const database = path.join(folder, 'sandbox.sqlite');
		let sandbox = await start(database);
		const id = await createCampaign(sandbox);
		const reader = new Reader();
		for (;;) {
			const started = Date.now();
			const isFinished = await reader.look(sandbox.http, id);
			if (isFinished) break;
			if (reader.looks === killAfter) {
				const before = (await sandbox.http.get<{ now: string }>('/_sandbox/time')).data.now;
				await sandbox.kill('SIGKILL');
				sandbox = await start(database);
				const { data } = await sandbox.http.get<{ now: string; rate: number }>('/_sandbox/time');
				expect(data.now >= before).toBe(true);
				expect(data.rate).toBe(rate);
			}
			await pause(Math.max(0, minute - (Date.now() - started)));
		}
		await reader.look(sandbox.http, id);
		expect(reader.looks).toBeGreaterThan(killAfter);
		const truth = await truthOf(sandbox);
		expect(truth).toHaveLength((numberCount / 5) * (3 + 3 + 2 + 3 + 1));
		expect(reader.seen.sort()).toEqual(truth.sort());
		await sandbox.kill('SIGTERM');
		await rm(folder, { recursive: true });
	},
	180_000,
);

test('a restart keeps the clock and the settings', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const database = path.join(folder, 'sandbox.sqlite');
	const first = await start(database);
	await first.http.post('/_sandbox/time', { to: '2999-01-10T03:30:00Z', rate: 0 });
	await first.http.patch('/_sandbox/settings', { conventions: { pageIndexName: 'page' } });
	await first.kill('SIGKILL');

	const second = await start(database);
	expect((await second.http.get('/_sandbox/time')).data).toMatchObject({
		now: '2999-01-10T03:30:00.000Z',
		rate: 0,
	});
	expect((await second.http.get('/_sandbox/settings')).data).toMatchObject({
		conventions: { pageIndexName: 'page', pageSizeName: 'pageSize' },
	});
	await second.kill('SIGTERM');
	await rm(folder, { recursive: true });
});
