/** A file that cannot be read on: at which line, what is wrong, and how to fix it. */
export class FileError extends Error {
	/** Line of the file, from 1; undefined where the whole file is meant. */
	readonly line: number | undefined;
	/** How to fix it. */
	readonly description: string;

	constructor(line: number | undefined, problem: string, description: string) {
		super(line === undefined ? `The file ${problem}` : `Line ${line} of the file ${problem}`);
		this.name = 'FileError';
		this.line = line;
		this.description = description;
	}
}
