import type { CallResult } from './calls';
import { counted } from './counted';

/** Which rows of files were sent, in words: of each that was not sent as a whole. */
export function reportsOfFiles(results: readonly CallResult[]): string[] {
	return results.flatMap(({ file, itemIndexes }) => {
		const isOnly = results.length === 1;
		const report = file?.isComplete === false ? file.progress.describe(isOnly) : '';
		if (report === '') return [];
		return [isOnly ? report : `Item ${itemIndexes[0]}: ${report}`];
	});
}

/** How many rows, campaigns and seconds the files took that were sent as a whole; undefined for none. */
export function summaryOfFiles(results: readonly CallResult[]): string | undefined {
	const files = results.flatMap(({ file }) => (file?.isComplete === true ? [file] : []));
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const requests = sum(files.map(({ progress }) => progress.count('sent')));
	if (requests === 0) return undefined;
	const rows = sum(files.map((file) => file.rows - file.firstRow + 1));
	const seconds = sum(files.map((file) => file.milliseconds)) / 1000;
	const areStored = files.every((file) => file.leftOut === undefined);
	const result = areStored
		? `${rows === 1 ? 'was' : 'were'} stored`
		: `became ${counted(requests, 'campaign')}`;
	return `${counted(rows, 'row')} ${result} in ${seconds.toFixed(1)} s`;
}
