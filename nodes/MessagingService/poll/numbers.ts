import type { IDataObject } from 'n8n-workflow';
import type { ListRequest } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { Page } from '../transport/request';
import type { Change, TimedEvent } from './changes';
import { isTimeUp } from './pollTime';
import { decodeStates, encodeStates, idOf, type RecordStates } from './recordStates';
import type { CampaignState } from './state';

/** What is compared with the state of its record. */
type Compare = (record: IDataObject, state: string | undefined) => Change;

/** What the phone numbers of a campaign have come to since they were read before. */
interface NumberChanges {
	events: TimedEvent[];
	/** Whether the time was up before all were read. The next poll goes on from there. */
	isCut: boolean;
	isChanged: boolean;
	/** Whether all are known, and no more calls to them are expected. */
	isDone: boolean;
}

/**
 * Reads the phone numbers of a campaign, from where the poll before was cut, and takes their changes
 * into its state.
 */
export async function readNumbers(
	list: ListRequest,
	known: CampaignState,
	compare: Compare,
): Promise<NumberChanges> {
	const before = known.reading ?? { page: 1, count: 0, isChanged: false, isOpen: false };
	let cutAt: number | undefined;
	const fetchPage = async (page = before.page): Promise<Page> =>
		await list.fetchPage(page).catch((error: unknown) => {
			if (!isTimeUp(error)) throw error;
			cutAt = page;
			return { items: [] };
		});
	const states = decodeStates(known.numbers);
	const part = { ...list, keyOf: idOf, firstPageIndex: before.page, fetchPage };
	const changes = await readList(part, (record) => compare(record, states.get(idOf(record))));
	const events = takeChanges(changes, states);
	known.numbers = encodeStates(states);
	const count = before.count + changes.length;
	const isChanged = before.isChanged || changes.some((change) => change.isChanged);
	const isOpen = before.isOpen || changes.some((change) => change.isOpen);
	known.reading = cutAt === undefined ? undefined : { page: cutAt, count, isChanged, isOpen };
	// One that is missing for a moment may have another call.
	const isWhole = count > 0 && count === states.size;
	return { events, isCut: cutAt !== undefined, isChanged, isDone: isWhole && !isOpen };
}

/** Takes changes into the states. Returns their events. */
export function takeChanges(changes: readonly Change[], states: RecordStates): TimedEvent[] {
	for (const { id, state } of changes) states.set(id, state);
	return changes.flatMap(({ events }) => events);
}
