import type { IDataObject } from 'n8n-workflow';
import { parseJson } from '../../json';
import { MAX_RECORD_CHARACTERS } from './delimited';
import { FileError } from './fileError';

/** One line of a JSON Lines file: its object, or what is wrong with it. */
export interface JsonLine {
	line: number;
	values?: IDataObject;
	problem?: string;
}

/** Reads JSON Lines chunk by chunk: one JSON object per line. Empty lines are skipped. */
export class JsonLinesReader {
	private text = '';
	private line = 1;

	/** The lines that end in the text so far. */
	*push(text: string): Generator<JsonLine> {
		const lines = (this.text + text).split('\n');
		this.text = lines.pop() ?? '';
		if (this.text.length > MAX_RECORD_CHARACTERS) {
			throw new FileError(
				this.line + lines.length,
				`is longer than ${MAX_RECORD_CHARACTERS} characters`,
				'Write one JSON object per line.',
			);
		}
		for (const line of lines) yield* this.read(line);
	}

	/** The last line. */
	*end(): Generator<JsonLine> {
		yield* this.read(this.text);
	}

	private *read(text: string): Generator<JsonLine> {
		const line = this.line++;
		if (text.trim() === '') return;
		const values = parseJson(text);
		if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
			yield { line, values: values as IDataObject };
		} else {
			yield { line, problem: 'is not a JSON object' };
		}
	}
}
