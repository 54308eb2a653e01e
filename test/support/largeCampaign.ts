/** A running voice campaign of many phone numbers, as the service's responses show it. */

/** A campaign has as many numbers as its ID says: this one is listed. */
export const largeCampaign = { id: 100_000, numbers: 100_000 } as const;

const campaign = (id: number) => ({
	id,
	name: 'Large',
	startDate: '2999-05-17T00:00:00',
	finishtime: '18:00',
	campaignStatus: 1,
	attempts: [
		{ interval: 5, attemptNumber: 1 },
		{ interval: 5, attemptNumber: 2 },
	],
});

/** Some numbers have one call, some two, some none. */
function record(index: number) {
	const calls = (index * 7) % 3;
	return {
		id: 80_001 + index,
		number: `+4477${String(index).padStart(8, '0')}`,
		name: 'Ada',
		parameters: [{ parameter: 1, value: 'Monday' }],
		calls: Array.from({ length: calls }, (_, call) => ({
			startTime: `2030-05-17T0${String(call + 1)}:30:00`,
			endTime: `2030-05-17T0${String(call + 1)}:30:40`,
			stage: 0,
			outcome: 3,
			userInput: '',
			price: 0,
			isTransferCall: false,
			attemptNumber: call + 1,
			secondsDuration: 40,
		})),
		smss: [],
	};
}

/** Pages as JSON, made once: what is looked at is the client. */
const pages = new Map<string, string>();

function pageOf(numbers: number, size: number, page: number): string {
	const key = [numbers, size, page].join('/');
	const first = (page - 1) * size;
	const length = Math.max(0, Math.min(size, numbers - first));
	const text =
		pages.get(key) ?? JSON.stringify(Array.from({ length }, (_, index) => record(first + index)));
	pages.set(key, text);
	return text;
}

/** The response to a GET of a campaign, of the list of campaigns, or of phone numbers. */
export function largeCampaignBody(pathname: string): string | undefined {
	const [, id, rest] = /^\/api\/campaigns\/voice\/(p|\d+)(\/.*)?$/.exec(pathname) ?? [];
	if (id === undefined) return undefined;
	if (id === 'p') {
		const items = [campaign(largeCampaign.id)];
		return JSON.stringify({ pageIndex: 1, totalPages: 1, totalRecords: 1, items });
	}
	const [, size, page] = /^\/phonenumbers\/(\d+)\/(\d+)$/.exec(rest ?? '') ?? [];
	if (size === undefined) return JSON.stringify(campaign(Number(id)));
	return pageOf(Number(id), Number(size), Number(page));
}
