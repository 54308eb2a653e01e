import type { CallResult } from './calls';

/** Which rows of files were sent, in words: of each that was not sent as a whole. */
export function reportsOfFiles(results: readonly CallResult[]): string[] {
	return results.flatMap(({ file, itemIndexes }) => {
		const report = file?.isComplete === false ? file.progress.describe() : '';
		if (report === '') return [];
		return [results.length === 1 ? report : `Item ${itemIndexes[0]}: ${report}`];
	});
}

/** How many rows, campaigns and seconds the files took; undefined where there is no file. */
export function summaryOfFiles(results: readonly CallResult[]): string | undefined {
	const files = results.flatMap(({ file }) => file ?? []);
	if (files.length === 0) return undefined;
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const rows = sum(files.map((file) => file.rows));
	const campaigns = sum(files.map((file) => file.progress.count('sent')));
	const seconds = sum(files.map((file) => file.milliseconds)) / 1000;
	const result = files.every((file) => file.leftOut === undefined)
		? 'rows were stored'
		: `rows became ${campaigns.toLocaleString('en-US')} campaigns`;
	return `${rows.toLocaleString('en-US')} ${result} in ${seconds.toFixed(1)} s`;
}
