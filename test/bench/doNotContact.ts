/**
 * What the do-not-contact list of the credential costs: 1,000 messages in n8n's engine, without the
 * rule and with 100,000 stored numbers that must not be contacted, in turns:
 *
 *     node --expose-gc --require ./test/bench/typescript.cjs test/bench/doNotContact.ts [rounds]
 *
 * The list is read in the first round, which does not count. Prints the processor time of a run with
 * and without the rule, and their ratio.
 */
import '../support/engineEnvironment.cjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { runAction } from '../support/engine';

const MESSAGES = 1000;
const WARM_UPS = 3;
const rounds = Number(process.argv[2] ?? 30);

/** All 100,000 numbers of the service have this value. */
const rule = { doNotContactParameter: 'parameter1', doNotContactValue: 'Ada' };

const items = Array.from({ length: MESSAGES }, (_, index) => ({
	phoneNumber: `+4478${String(index).padStart(8, '0')}`,
	message: `Hello ${String(index)}`,
	sender: 'Bench',
}));
const parameters = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.message }}',
	sender: '={{ $json.sender }}',
};

/** Milliseconds of processor time that a run takes. */
async function timeOf(credential: ICredentialDataDecryptedObject): Promise<number> {
	globalThis.gc?.();
	const before = process.cpuUsage();
	const { error, items: sent } = await runAction({ credential, parameters, items });
	const { user, system } = process.cpuUsage(before);
	if (error !== undefined || sent.length !== MESSAGES)
		throw error ?? new Error('Not all were sent');
	return (user + system) / 1000;
}

function quantile(values: readonly number[], part: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.round(part * (sorted.length - 1))] ?? NaN;
}

const spread = (values: readonly number[], digits: number) =>
	[0.5, 0.25, 0.75].map((part) => quantile(values, part).toFixed(digits));

async function main(): Promise<void> {
	const service = spawn(process.execPath, [path.join(__dirname, 'service.mts')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
	const { url } = JSON.parse(line) as { url: string };
	const account = { baseUrl: url, authentication: 'none' };
	const without: number[] = [];
	const withRule: number[] = [];
	for (let round = -WARM_UPS; round < rounds; round++) {
		// Each is the first one as often as the other.
		const isFirst = round % 2 === 0;
		const first = await timeOf({ ...account, sendingPolicy: true, ...(isFirst ? rule : {}) });
		const second = await timeOf({
			...account,
			sendingPolicy: true,
			...(isFirst ? {} : rule),
		});
		if (round < 0) continue;
		withRule.push(isFirst ? first : second);
		without.push(isFirst ? second : first);
	}
	const ratios = withRule.map((time, round) => time / (without[round] ?? NaN));
	for (const [name, values, digits] of [
		['without the rule, ms', without, 0],
		['with it, ms', withRule, 0],
		['ratio of each pair', ratios, 3],
	] as const) {
		const [median, low, high] = spread(values, digits);
		console.log(
			`${name.padEnd(22)} median ${String(median)} (quartiles ${String(low)}, ${String(high)})`,
		);
	}
	console.log(
		`${'ratio of the medians'.padEnd(22)} ${(quantile(withRule, 0.5) / quantile(without, 0.5)).toFixed(3)}`,
	);
	service.stdin.end();
}

void main();
