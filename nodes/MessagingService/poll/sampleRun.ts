import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isBefore } from '../times';
import { PAGE_SIZE } from '../transport/listRequests';
import type { Campaign } from './campaigns';
import { PollRun, type PollRequest } from './pollRun';

/** Results of each kind, and campaigns whose results are read. */
const SAMPLE_SIZE = 5;

/** A manual test in the editor: it shows the latest results of each kind, whether new or not. */
export class SampleRun extends PollRun {
	override readonly limit = PAGE_SIZE;
	override readonly mostEarlier = 0;
	override readonly hasNext = false;

	constructor(request: PollRequest) {
		super({ ...request, state: undefined });
		this.state.newSince = { voice: '', sms: '', messages: '' };
	}

	/** The latest that have started. */
	override toRead(campaigns: Campaign[]): Campaign[] {
		const hasStarted = ({ start }: Campaign) => isBefore(start, this.serviceNow);
		return sortBy(campaigns, [hasStarted, 'start']).slice(-SAMPLE_SIZE);
	}

	override reported(items: IDataObject[]): IDataObject[] {
		return this.request.settings.events.flatMap((kind) =>
			items.filter(({ event }) => event === kind).slice(-SAMPLE_SIZE),
		);
	}
}
