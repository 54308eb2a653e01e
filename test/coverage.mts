/**
 * How much of the package's code the unit and engine tests reach together, with a floor.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import coverage from 'istanbul-lib-coverage';
import report from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { localFolder } from '../host/runtime.mjs';

/** The Jest projects that are counted. */
export const COVERAGE_PROJECTS: readonly string[] = ['unit', 'engine'];

/** Percent of lines and of branches that must be reached. */
const FLOOR = 93;

const folder = path.join(localFolder, 'coverage');

const fileOf = (project: string) => path.join(folder, project, 'coverage-final.json');

/** Options that make Jest write down what a project reaches. What an earlier run wrote is removed. */
export function coverageOptions(project: string): string[] {
	if (!COVERAGE_PROJECTS.includes(project)) return [];
	rmSync(fileOf(project), { force: true });
	return [
		'--coverage',
		...['nodes', 'credentials'].flatMap((code) => ['--collectCoverageFrom', `${code}/**/*.ts`]),
		...['--coverageReporters', 'json'],
		...['--coverageDirectory', path.join(folder, project)],
	];
}

/**
 * Adds up what the projects have written in this run, and lists each file with lines or branches
 * that no test reaches.
 * @returns whether lines and branches are at the floor or above
 */
export function isCoverageEnough(): boolean {
	const map = coverage.createCoverageMap();
	for (const project of COVERAGE_PROJECTS) {
		if (!existsSync(fileOf(project))) {
			console.error(`Coverage is that of ${COVERAGE_PROJECTS.join(' and ')}: run them as well.`);
			return false;
		}
		map.merge(JSON.parse(readFileSync(fileOf(project), 'utf8')) as coverage.CoverageMapData);
	}
	const context = report.createContext({ dir: folder, coverageMap: map });
	reports.create('text', { skipFull: true, maxCols: 120 }).execute(context);
	reports.create('html').execute(context);
	const { lines, branches } = map.getCoverageSummary();
	const figures = `${String(lines.pct)} % of the lines, ${String(branches.pct)} % of the branches`;
	console.log(`Reached: ${figures}; the floor is ${String(FLOOR)} %. Lines: ${folder}/index.html`);
	// A summary without code has the percentage "Unknown".
	return [lines, branches].every(({ total, pct }) => total > 0 && pct >= FLOOR);
}
