import type { IDataObject } from 'n8n-workflow';
import type { Group, RecipientList } from './batch';
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
	const leftOut: Complaint[] = [];
	const newList = (): unknown[] => [];
	const groups = new Groups(kind, screen, newList, (complaint) => leftOut.push(complaint));
	recipients.forEach((recipient, index) => groups.add(recipient, places[index] ?? index));
	const taken = groups.take();
	return { groups: taken.length === 0 ? [{ recipients: [], places: [] }] : taken, leftOut };
}

/** Collects recipients, divided by the time when they may be reached. */
export class Groups<List extends RecipientList> {
	/** How many recipients it holds. */
	size = 0;
	private readonly numberName: string;
	private readonly screen: Screen | undefined;
	private readonly newList: () => List;
	private readonly leaveOut: (complaint: Complaint) => void;
	private groups = new Map<string, Group<List>>();

	constructor(
		{ numberName }: RecipientKind<unknown>,
		screen: Screen | undefined,
		newList: () => List,
		leaveOut: (complaint: Complaint) => void,
	) {
		this.numberName = numberName;
		this.screen = screen;
		this.newList = newList;
		this.leaveOut = leaveOut;
	}

	add(recipient: unknown, place: number): void {
		const number = (recipient as IDataObject)[this.numberName];
		const { leftOut: why, startDateTime }: Verdict = this.screen?.(number) ?? {};
		if (why !== undefined) {
			this.leaveOut({ itemIndex: place, phoneNumber: number, ...why });
			return;
		}
		const name = startDateTime ?? '';
		const group: Group<List> = this.groups.get(name) ?? {
			recipients: this.newList(),
			places: [],
			...(startDateTime === undefined ? {} : { startDateTime }),
		};
		this.groups.set(name, group);
		group.recipients.push(recipient);
		group.places.push(place);
		this.size++;
	}

	/** Gives the groups away, those that start first in front. */
	take(): Group<List>[] {
		const sorted = [...this.groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
		this.groups = new Map();
		this.size = 0;
		return sorted;
	}
}
