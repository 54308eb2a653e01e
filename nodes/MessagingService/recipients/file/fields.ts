import attempt from 'lodash/attempt';
import isError from 'lodash/isError';
import type { INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../../resources/operation';
import { InputError, shown } from '../../resources/shared/inputError';
import type { FileEncoding } from './encoding';
import type { FileFormat } from './rows';

/** The value of "Contacts From" and "Phone Numbers From". */
export const FILE = 'file';

const FILE_OPTIONS = 'fileOptions';

const binaryField = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input binary field that holds the file',
	description: 'Binary field with a CSV or JSON Lines file. Each input item has a file of its own.',
} satisfies INodeProperties;

const delimiter = {
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

const encoding = {
	displayName: 'Encoding',
	name: 'encoding',
	type: 'options',
	options: [
		{ name: 'Detect', value: 'auto', description: 'By the first 64 kB of the file' },
		{ name: 'UTF-16 BE', value: 'utf-16be' },
		{ name: 'UTF-16 LE', value: 'utf-16le' },
		{ name: 'UTF-8', value: 'utf-8' },
		{ name: 'Windows-1252', value: 'windows-1252' },
	],
	default: 'auto',
	description: 'How the file stores its characters',
} satisfies INodeProperties;

const problemsFile = {
	displayName: 'Problems File',
	name: 'problemsFile',
	type: 'boolean',
	default: false,
	description:
		'Whether to add a CSV file with all invalid, duplicate and skipped rows to the output, in the binary field "problems"',
} satisfies INodeProperties;

const startAtRow = {
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

/** A file as the user described it. */
export interface FileSource {
	/** Reads it from its start. */
	open(): AsyncIterable<Uint8Array>;
	format: FileFormat;
	/** First row to send, from 1. */
	startAtRow: number;
	/** Whether all problems become a file. */
	wantsProblemsFile: boolean;
}

/** @throws InputError where there is no such file, or an option is wrong */
export function readFileSource({ parameters, context, itemIndexes }: OperationCall): FileSource {
	const option = <Field extends INodeProperties>(field: Field) =>
		parameters.member(FILE_OPTIONS, field);
	return {
		open: openerOf(context, itemIndexes[0] ?? 0, parameters.read(binaryField).trim()),
		format: {
			encoding: (option(encoding) ?? 'auto') as FileEncoding,
			delimiter: String(option(delimiter) ?? 'auto'),
		},
		startAtRow: Number(option(startAtRow) ?? 1),
		wantsProblemsFile: option(problemsFile) === true,
	};
}

/** Bytes of a chunk: large enough for few turns, small enough for a responsive n8n. */
const CHUNK_BYTES = 64 * 1024;
/** Of base64, four characters are three bytes. */
const CHUNK_CHARACTERS = (CHUNK_BYTES / 2) * 4;

function openerOf(
	context: OperationCall['context'],
	itemIndex: number,
	name: string,
): FileSource['open'] {
	const { id, data } = findBinary(context, itemIndex, name);
	return async function* open() {
		if (id !== undefined && id !== '') {
			yield* (await context.helpers.getBinaryStream(id, CHUNK_BYTES)) as AsyncIterable<Uint8Array>;
			return;
		}
		// Where n8n keeps binary data in memory, it is the text of the file in base64.
		for (let at = 0; at < data.length; at += CHUNK_CHARACTERS) {
			yield await Promise.resolve(Buffer.from(data.slice(at, at + CHUNK_CHARACTERS), 'base64'));
		}
	};
}

function findBinary(context: OperationCall['context'], itemIndex: number, name: string) {
	const binary = attempt(() => context.helpers.assertBinaryData(itemIndex, name));
	if (!isError(binary)) return binary;
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	throw new InputError(
		binaryField.displayName,
		`names "${shown(name)}", which item ${itemIndex} does not have`,
		`Read the file with a node before this one, e.g. Read/Write Files from Disk, and enter the name of its binary field. The item has: ${names.join(', ') || 'no binary field'}.`,
	);
}
