import { isBefore } from '../times';
import { messageList, PAGE_SIZE } from '../transport/listRequests';
import { readRecent } from '../transport/recent';
import { isForgotten, messageChange } from './changes';
import { takeChanges } from './numbers';
import type { PollRun } from './pollRun';
import { decodeStates, encodeStates, idOf } from './recordStates';

/** The list of SMS messages, unless only voice campaigns are selected. */
export async function readMessages(run: PollRun): Promise<void> {
	const { state } = run;
	const { client, settings } = run.request;
	const { smsFilters, writtenFilters, selected } = settings;
	const isRead = run.wants('smsStatus') && selected?.sms.length !== 0;
	// What other filters add to the list counts as known.
	if (!isRead || state.filters !== writtenFilters) state.newSince.messages = undefined;
	if (!isRead) return;
	state.filters = writtenFilters;
	const states = decodeStates(state.messages);
	const [today, firstDay] = [run.serviceNow.slice(0, 10), run.daysStart.slice(0, 10)];
	const campaignIds = selected && new Set(selected.sms.map((id) => id.toLowerCase()));
	const list = messageList(client, PAGE_SIZE, smsFilters);
	const recent = { ...list, keyOf: idOf, since: run.daysStart, limit: run.limit };
	const { records } = await readRecent(recent, (message) => {
		const { dateCreated, campaignId } = message;
		const known = states.get(idOf(message));
		if (isBefore(dateCreated, run.daysStart)) {
			states.delete(idOf(message));
			return undefined;
		}
		const isSelected = campaignIds?.has(String(campaignId).toLowerCase()) !== false;
		const isReported = isSelected && (known !== undefined || run.isNew('messages', dateCreated));
		return messageChange(message, known, { origin: run.origin, isReported, today });
	});
	const changes = records.filter((change) => change !== undefined);
	run.events.push(...takeChanges(changes, states));
	// One that the list lacks for a while is not a new one when it is listed again.
	for (const [id, messageState] of states) {
		if (isForgotten(messageState, firstDay)) states.delete(id);
	}
	state.messages = encodeStates(states);
	run.noteRead('messages');
}
