/** Prints what a scenario came to, as a row of the tables in docs/development/reliability.md. */
export function printRow(...cells: (string | number)[]): void {
	process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
