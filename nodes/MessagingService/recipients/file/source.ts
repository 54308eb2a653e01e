import { attempt, isError } from 'lodash';
import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { Failure } from '../../failure';
import { shown } from '../../texts';
import {
	binaryField,
	delimiter,
	encoding,
	FILE_OPTIONS,
	problemsFile,
	startAtRow,
} from '../fileFields';
import type { Encoding } from './encoding';

/** A file as the user described it. */
export interface FileSource {
	/** Reads it from its start. */
	open(): AsyncIterable<Uint8Array>;
	format: {
		encoding: Encoding | 'auto';
		/** One character, or `auto` to decide by the header. */
		delimiter: string;
	};
	/** First row to send, from 1. */
	startAtRow: number;
	/** Whether all problems become a file. */
	wantsProblemsFile: boolean;
}

/** @throws Failure where there is no such file, or an option is wrong */
export function readFileSource(input: OperationInput): FileSource {
	const { parameters, context, itemIndexes } = input;
	const option = <Field extends INodeProperties>(field: Field) =>
		parameters.member(FILE_OPTIONS, field);
	return {
		open: openerOf(context, findBinary(input, itemIndexes[0] ?? 0)),
		format: {
			encoding: (option(encoding) ?? 'auto') as Encoding,
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
	context: OperationInput['context'],
	{ id, data }: IBinaryData,
): FileSource['open'] {
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

/** The file of the name that is set; where there is none, the only one. */
function findBinary({ context, parameters, warn }: OperationInput, itemIndex: number): IBinaryData {
	const name = parameters.read(binaryField).trim();
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	const [only, ...others] = names;
	const isGuess = only !== undefined && others.length === 0 && only !== name;
	const found = isGuess ? only : name;
	const binary = attempt(() => context.helpers.assertBinaryData(itemIndex, found));
	if (!isError(binary)) {
		if (isGuess)
			warn?.(`File: there is no "${shown(name)}", so the only file was taken: "${shown(only)}".`);
		return binary;
	}
	throw Failure.ofField(
		binaryField.displayName,
		`names "${shown(name)}", which item ${itemIndex} does not have`,
		`Read the file with a node before this one, e.g. Read/Write Files from Disk, and enter the name of its binary field. The item has: ${names.join(', ') || 'no binary field'}.`,
	);
}
