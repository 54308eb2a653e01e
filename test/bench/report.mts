import type { GrowthStep } from './growth.mts';
import type { Loading } from './loading.mts';
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

/** All results, and what they were measured on. */
export interface BenchReport {
	date: string;
	n8n: string;
	node: string;
	cpu: string;
	cores: number;
	memoryGigabytes: number;
	packedKilobytes: number;
	loading: Loading;
	growth: GrowthStep[];
	results: Result[];
}

/** What time and memory may grow by when the recipients are ten times as many. */
const MOST_GROWTH = 12;

const UNITS = { speed: 'items/s', time: 'ms', memory: 'MB' } as const;

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });

/** Median and spread: "1,066 (980 to 1,102) items/s". */
function spread(values: readonly number[], kind: Result['kind']): string {
	const range = `${number(Math.min(...values))} to ${number(Math.max(...values))}`;
	return `${number(median(values))} (${range}) ${UNITS[kind]}`;
}

/**
 * The results as a page of the documentation.
 * @param notes remarks on them: a Markdown text with a heading for each part of the page
 */
export function toMarkdown(report: BenchReport, notes: string): string {
	const noteOn = (part: string) => {
		const note = notes.split(/^## /m).find((text) => text.startsWith(`${part}\n`));
		if (note === undefined) throw new Error(`The notes say nothing about "${part}"`);
		return note.slice(part.length).trim();
	};
	const rows = report.results.map(
		({ measure, beside, kind, ours, others, ratio, aim, reached }) =>
			`| ${measure} | ${spread(ours, kind)} | ${beside} | ${spread(others, kind)} | ${ratio.toFixed(2)}x | ${kind === 'speed' ? 'at least' : 'at most'} ${String(aim)}x, ${reached ? 'reached' : '**missed**'} | ${String(ours.length)} |`,
	);
	return `# Benchmarks

Written by \`npm run bench -- --docs\` on ${report.date}: n8n ${report.n8n} with its default expression engine, Node.js ${report.node}, ${String(report.cores)} cores (${report.cpu}), ${String(report.memoryGigabytes)} GB. The two sides of a row took turns, after one warm-up round; the values are medians, with minimum and maximum in brackets. The service is a local one that responds immediately, on the same machine.

![Messaging Service node beside the alternative, for each measure](../pictures/benchmarks.svg)

| measure | Messaging Service | beside | value | ratio | aim | rounds |
|---|---|---|---|---|---|---|
${rows.join('\n')}

${noteOn('Comparisons')}

## Growth

One SMS campaign from these rows, in n8n's engine outside of n8n; memory is the maximum growth of the process while it holds the rows. Aim: at most ${String(MOST_GROWTH)} times per tenfold.

| recipients | node time | per tenfold | memory | per tenfold |
|---|---|---|---|---|
${growthRows(report.growth).join('\n')}

${noteOn('Growth')}

## Reading results

${noteOn('Reading results')}

## Campaigns from a file

${noteOn('Campaigns from a file')}

## Size and loading

The packed package has ${report.packedKilobytes.toFixed(0)} kB (aim: less than 200 kB; \`test/sandbox/more/freshClone.test.ts\` checks it). Comments are removed from the built files.

| loading all nodes and credentials | this package | n8n-nodes-starter 0.1.0 | ratio |
|---|---|---|---|
| in a fresh Node.js (aim: at most 1.5x) | ${loadingCells(report.loading.fresh)} |
| with what n8n has loaded anyway | ${loadingCells(report.loading.inN8n)} |

${noteOn('Size and loading')}

## Beside an earlier version

${noteOn('Beside an earlier version')}

\`npm run bench\` measures on your machine; \`--rounds\`, \`--scale\` and \`--only\` make it shorter.

## The trigger, before and after it kept its URL registered

${noteOn('The trigger, before and after it kept its URL registered')}
`;
}

/** The lines of the growth table: each step beside the one before. */
function growthRows(steps: readonly GrowthStep[]): string[] {
	return steps.map(({ recipients, milliseconds, megabytes }, index) => {
		const before = steps[index - 1];
		const times = (now: readonly number[], then?: readonly number[]) => {
			if (then === undefined) return '';
			const ratio = (median(now) / median(then)).toFixed(1);
			return `${ratio}x${Number(ratio) > MOST_GROWTH ? ', **missed**' : ''}`;
		};
		return `| ${number(recipients)} | ${spread(milliseconds, 'time')} | ${times(milliseconds, before?.milliseconds)} | ${spread(megabytes, 'memory')} | ${times(megabytes, before?.megabytes)} |`;
	});
}

function loadingCells({ ours, starter }: Loading['fresh']): string {
	return `${spread(ours, 'time')} | ${spread(starter, 'time')} | ${(median(ours) / median(starter)).toFixed(2)}x`;
}

const escapeXml = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** How much better than the alternative, on a logarithmic scale: one bar for each line. */
export function toSvg({ results, date }: BenchReport): string {
	const gains = results.map(({ kind, ratio }) => (kind === 'speed' ? ratio : 1 / ratio));
	const width = 900;
	const left = 430;
	const line = 30;
	const height = 70 + results.length * line;
	const most = Math.max(2, ...gains.map((gain) => Math.abs(Math.log2(gain))));
	const middle = left + 110;
	const unit = (width - middle - 70) / most;
	const bars = results.map(({ measure, reached }, index) => {
		const gain = gains[index] ?? 1;
		const length = Math.log2(gain) * unit;
		const from = Math.max(left, middle + Math.min(0, length));
		const y = 46 + index * line;
		const barWidth = Math.max(
			2,
			Math.abs(length) - (middle + length < left ? left - middle - length : 0),
		);
		return `<text x="${String(left - 10)}" y="${String(y + 14)}" text-anchor="end">${escapeXml(measure)}</text><rect x="${from.toFixed(1)}" y="${String(y)}" width="${barWidth.toFixed(1)}" height="20" fill="${reached ? '#2e7d5b' : '#c0562f'}"/><text x="${(Math.max(middle, middle + length) + 6).toFixed(1)}" y="${String(y + 14)}">${gain.toFixed(2)}x</text>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/><text x="10" y="24" font-size="14" font-weight="bold">How many times better than the alternative (logarithmic; green: aim reached; ${date})</text>${bars.join('')}<line x1="${String(middle)}" y1="38" x2="${String(middle)}" y2="${String(height - 14)}" stroke="#333"/></svg>
`;
}
