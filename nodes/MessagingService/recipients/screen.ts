import type { IDataObject } from 'n8n-workflow';
import type { Group } from './batch';
import type { CheckedRecipients, Complaint } from './checks';
import type { RecipientKind } from './kind';

/** What happens to a recipient that nothing is wrong with. */
export interface Verdict {
	/** Why it is left out. */
	leftOut?: Pick<Complaint, 'code' | 'reason' | 'advice' | 'nextAllowedTime'>;
	/** When its campaign starts, ISO 8601 in UTC; undefined: as the request says. */
	startDateTime?: string;
}

/** Decides about a recipient by its phone number as it would be sent. */
export type Screen = (number: unknown) => Verdict;

/** Divides recipients by the time when they may be reached, and leaves some out. */
export function screenRecipients(
	kind: RecipientKind<unknown>,
	{ recipients, places }: CheckedRecipients,
	screen: Screen | undefined,
): { groups: Group[]; leftOut: Complaint[] } {
	if (screen === undefined) return { groups: [{ recipients, places }], leftOut: [] };
	const groups = new Map<string, Group>();
	const leftOut: Complaint[] = [];
	recipients.forEach((recipient, index) => {
		const number = (recipient as IDataObject)[kind.numberName];
		const place = places[index] ?? index;
		const { leftOut: why, startDateTime } = screen(number);
		if (why !== undefined) {
			leftOut.push({ itemIndex: place, phoneNumber: number, ...why });
			return;
		}
		const name = startDateTime ?? '';
		const group: Group = groups.get(name) ?? {
			recipients: [],
			places: [],
			...(startDateTime === undefined ? {} : { startDateTime }),
		};
		groups.set(name, group);
		group.recipients.push(recipient);
		group.places.push(place);
	});
	const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
	return { groups: sorted.length === 0 ? [{ recipients: [], places: [] }] : sorted, leftOut };
}
