import type { INodeProperties } from 'n8n-workflow';

/** Values of "Contacts From" and "Phone Numbers From". */
export const INPUT_ITEMS = 'inputItems';
export const FILE = 'file';

export const FILE_OPTIONS = 'fileOptions';

export const binaryField = {
	displayName: 'File',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the file in the input. If there is only one file, it is taken.',
	description: 'Each input item has its own CSV or JSON Lines file',
} satisfies INodeProperties;

export const delimiter = {
	displayName: 'Delimiter',
	name: 'delimiter',
	type: 'options',
	options: [
		{ name: 'Comma', value: ',' },
		{ name: 'Detect', value: 'auto', description: 'The most frequent one in the header row' },
		{ name: 'Pipe', value: '|' },
		{ name: 'Semicolon', value: ';' },
		{ name: 'Tab', value: '\t' },
	],
	default: 'auto',
	description: 'Character between the cells of a CSV file',
} satisfies INodeProperties;

export const encoding = {
	displayName: 'Encoding',
	name: 'encoding',
	type: 'options',
	options: [
		{ name: 'Detect', value: 'auto', description: 'By the first 64 kB of the file' },
		{ name: 'ISO-8859-2 (Central Europe)', value: 'iso-8859-2' },
		{ name: 'Macintosh (Western)', value: 'macintosh' },
		{ name: 'Shift_JIS (Japan)', value: 'shift_jis' },
		{ name: 'UTF-16 BE', value: 'utf-16be' },
		{ name: 'UTF-16 LE', value: 'utf-16le' },
		{ name: 'UTF-8', value: 'utf-8' },
		{ name: 'Windows-1250 (Central Europe)', value: 'windows-1250' },
		{ name: 'Windows-1251 (Cyrillic)', value: 'windows-1251' },
		{ name: 'Windows-1252 (Western)', value: 'windows-1252' },
	],
	default: 'auto',
	description: 'How the file stores its characters',
} satisfies INodeProperties;

export const problemsFile = {
	displayName: 'Problems File',
	name: 'problemsFile',
	type: 'boolean',
	default: false,
	description:
		'Whether to add a CSV file with the rows that were not sent to the output, in the binary field "problems", to fix and send them. It has no duplicates, and nobody on a do-not-contact list.',
} satisfies INodeProperties;

export const startAtRow = {
	displayName: 'Start at Row',
	name: 'startAtRow',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	description:
		'First row to send. Row 1 is the first one below the header. Earlier rows are read only to find duplicates.',
} satisfies INodeProperties;

/** The fields that say which file is read, and how. */
export const fileFields: INodeProperties[] = [
	binaryField,
	{
		displayName: 'File Options',
		name: FILE_OPTIONS,
		type: 'collection',
		placeholder: 'Add File Option',
		default: {},
		options: [delimiter, encoding, problemsFile, startAtRow],
	},
];
