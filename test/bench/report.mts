import { median } from './measure.mts';

/** One comparison: the values of both contenders, round by round. */
export interface Result {
	name: string;
	measure: string;
	beside: string;
	kind: 'speed' | 'time' | 'memory';
	aim: number;
	ours: number[];
	others: number[];
	/** Our median divided by the other's. */
	ratio: number;
	reached: boolean;
}

const UNITS = { speed: 'items/s', time: 'ms', memory: 'MB' } as const;

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });

/** Median and spread: "1,066 (980 to 1,102) items/s". */
function spread(values: readonly number[], kind: Result['kind']): string {
	const range = `${number(Math.min(...values))} to ${number(Math.max(...values))}`;
	return `${number(median(values))} (${range}) ${UNITS[kind]}`;
}

/** What the page of the benchmarks says below its first table, which is written by hand. */
export function notesOf(page: string): string {
	const afterTable = /\n\|.*\n\n/.exec(page);
	if (afterTable === null) throw new Error('The page has no table.');
	return page.slice(afterTable.index + afterTable[0].length);
}

/**
 * The results as the part of that page that is above.
 * @param setting what they were measured on
 */
export function toMarkdown(results: readonly Result[], setting: string): string {
	const date = new Date().toISOString().slice(0, 10);
	const rows = results.map(
		({ measure, beside, kind, ours, others, ratio, aim, reached }) =>
			`| ${measure} | ${spread(ours, kind)} | ${beside} | ${spread(others, kind)} | ${ratio.toFixed(2)}x | ${kind === 'speed' ? 'at least' : 'at most'} ${String(aim)}x, ${reached ? 'reached' : '**missed**'} | ${String(ours.length)} |`,
	);
	return `# Benchmarks

Written by \`npm run bench -- --docs\` on ${date}: ${setting}. The two sides of a row took turns, after one warm-up round; the values are medians, with minimum and maximum in brackets. The service is a local one that responds immediately, on the same machine.

| measure | Messaging Service | beside | value | ratio | aim | rounds |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}
