import path from 'node:path';
import type { schema } from '@stryker-mutator/api/core';
import type { Reporter } from '@stryker-mutator/api/report';

type Status = schema.MutantStatus;

const KILLED = new Set<Status>(['Killed', 'Timeout']);
const SURVIVED = new Set<Status>(['Survived', 'NoCoverage']);

/** A row: a score with the number of its mutants. */
function row(name: string, statuses: Status[]): string {
	const killed = statuses.filter((status) => KILLED.has(status)).length;
	const score = ((100 * killed) / statuses.length).toFixed(1);
	return `| ${name} | ${statuses.length} | ${killed} | ${score} % |`;
}

/** The score of each folder and of all together, as a table in Markdown. */
export function folderTable(files: schema.FileResultDictionary): string {
	const folders = new Map<string, Status[]>();
	for (const [file, { mutants }] of Object.entries(files)) {
		const folder = path.posix.dirname(file).replace(/^nodes\/MessagingService\//, '');
		const statuses = mutants
			.map(({ status }) => status)
			.filter((status) => KILLED.has(status) || SURVIVED.has(status));
		folders.set(folder, [...(folders.get(folder) ?? []), ...statuses]);
	}
	const measured = [...folders].filter(([, statuses]) => statuses.length > 0).sort();
	return [
		'| code | mutants | killed | score |',
		'|---|---|---|---|',
		...measured.map(([folder, statuses]) => row(`\`${folder}\``, statuses)),
		row(
			'**together**',
			measured.flatMap(([, statuses]) => statuses),
		),
	].join('\n');
}

/** Prints the score of each folder. */
export const foldersReporter: Reporter = {
	onMutationTestReportReady({ files }) {
		console.log(folderTable(files));
	},
};
