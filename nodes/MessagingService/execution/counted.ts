/** "1 row", "1,234 rows". */
export function counted(count: number, noun: string): string {
	return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "1,234". */
export function figure(count: number): string {
	return count.toLocaleString('en-US');
}
