import { text, type Returns } from '../../returns/fields';

export const serviceReturns: Record<string, Returns> = {
	check: {
		fields: {
			question: text('Which parameter chooses a page?'),
			result: text('set'),
			found: text('pageIndex is ignored, page works'),
			setting: text('Page Index Parameter'),
			value: text('page'),
			advice: text('Switch on Service Conventions in the credential and enter it there.'),
		},
	},
};
