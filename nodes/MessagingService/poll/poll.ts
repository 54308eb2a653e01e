import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { passesFilters } from '../events/filters';
import { readMessages } from './messages';
import { PollRun, type PollRequest } from './pollRun';
import { SampleRun } from './sampleRun';
import { readSmsCampaigns } from './smsCampaigns';
import { writeState, type ListName } from './state';
import { readVoiceCampaigns } from './voiceCampaigns';

/** What a poll found. */
interface PollResult {
	/** Events, the earliest first. */
	items: IDataObject[];
	/** The state that the next poll starts from, once these items are handed over. */
	state: string;
	/** What could not be read; the next poll reads it again. */
	failures: Error[];
	/** Whether the time was up before everything was read. The next poll starts with the rest. */
	isCut: boolean;
}

/** The lists, in their order, and what reads each. */
const READERS: Readonly<Record<ListName, (run: PollRun) => Promise<void>>> = {
	messages: readMessages,
	voice: readVoiceCampaigns,
	sms: readSmsCampaigns,
};

const LISTS = Object.keys(READERS) as ListName[];

/**
 * Reads what is in scope of each list, compares it with the state, and reports the differences. A list
 * that cannot be read keeps its state, so that the next poll finds its differences. Never throws for
 * a failed request: see `failures`.
 */
export async function pollService(request: PollRequest): Promise<PollResult> {
	const run = request.isSample === true ? new SampleRun(request) : new PollRun(request);
	const { state, failures } = run;
	const start = Math.max(0, LISTS.indexOf(state.first ?? 'messages'));
	const lists = [...LISTS.slice(start), ...LISTS.slice(0, start)];
	const cut: ListName[] = [];
	for (const list of lists) {
		run.isCut = false;
		await run.attempt(async () => await READERS[list](run));
		if (run.isCut) cut.push(list);
	}
	// One that had all of the time lets the next one go first.
	const [first] = cut;
	state.first = first === lists[0] ? (cut[1] ?? first) : first;
	return {
		items: selectedItems(run),
		state: writeState(state),
		failures,
		isCut: cut.length > 0,
	};
}

/** The selected events. */
function selectedItems(run: PollRun): IDataObject[] {
	const { client, settings } = run.request;
	const { defaultCountry } = client.settings;
	const items = sortBy(run.events, ({ moment }) => moment).map(({ item }) => item);
	const kinds: readonly unknown[] = settings.events;
	const selected = items.filter(
		(item) => kinds.includes(item.event) && passesFilters(item, settings.filters, defaultCountry),
	);
	return run.reported(selected);
}
