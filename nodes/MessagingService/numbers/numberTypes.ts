/**
 * What the numbering plans tell apart. The first ten are in the order of the tables; in some
 * countries (United States, for example) a number does not show whether it is mobile.
 */
export const NUMBER_TYPES = [
	'fixedLine',
	'mobile',
	'tollFree',
	'premiumRate',
	'personalNumber',
	'voicemail',
	'companyNumber',
	'pager',
	'voip',
	'sharedCost',
	'fixedLineOrMobile',
	'unknown',
] as const;

export type NumberType = (typeof NUMBER_TYPES)[number];

/** How fields and messages name them. */
export const TYPE_LABELS: Record<NumberType, string> = {
	fixedLine: 'Fixed Line',
	mobile: 'Mobile',
	tollFree: 'Toll-Free',
	premiumRate: 'Premium Rate',
	personalNumber: 'Personal Number',
	voicemail: 'Voicemail',
	companyNumber: 'Company Number',
	pager: 'Pager',
	voip: 'VoIP',
	sharedCost: 'Shared Cost',
	fixedLineOrMobile: 'Fixed Line or Mobile',
	unknown: 'Unknown',
};

/** The values of a field that chooses types, in the order of their names. */
export const NUMBER_TYPE_OPTIONS = NUMBER_TYPES.map((value) => ({
	name: TYPE_LABELS[value],
	value,
})).sort((a, b) => a.name.localeCompare(b.name));
