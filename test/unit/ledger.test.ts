import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Ledger } from '../../nodes/MessagingService/execution/ledger';

/** Collects what nothing refers to. */
function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
}

/** Notes a campaign of a file as sent. @returns its recipients, as long as something keeps them */
function noteCampaign(ledger: Ledger, part: number): WeakRef<IDataObject[]> {
	const numbers = [`+44770090000${String(part)}`];
	const recipients = numbers.map((phoneNumber) => ({ phoneNumber }));
	const request = {
		...{
			method: 'POST' as const,
			path: '/api/Campaigns',
			output: {},
			body: { contacts: recipients },
		},
		reaches: { kind: 'messages' as const, numbers },
	};
	const block = { recipients, itemIndexes: [0], places: [part], part };
	const planned = { request, block, itemIndexes: [0], clientKey: '', basis: 'a', isOfFile: true };
	ledger.note(planned, { sent: 'possibly' });
	ledger.note(planned, { sent: 'yes', response: `campaign ${String(part)}` });
	return new WeakRef(recipients);
}

test('a file of millions of rows: those that were sent do not stay in memory, but can be told for a retry', async () => {
	const context: { sent?: unknown } = {};
	const ledger = new Ledger({ getContext: () => context } as unknown as IExecuteFunctions, 'a');
	const campaigns = [1, 2, 3].map((part) => noteCampaign(ledger, part));
	await nextTurn();
	collectGarbage();
	expect(campaigns.map((each) => each.deref())).toEqual([undefined, undefined, undefined]);
	ledger.save();
	const retry = new Ledger({ getContext: () => context } as unknown as IExecuteFunctions, 'a');
	expect(retry.earlier.map(({ places, response }) => [places, response])).toEqual([
		[[1], 'campaign 1'],
		[[2], 'campaign 2'],
		[[3], 'campaign 3'],
	]);
});
