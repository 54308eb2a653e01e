import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

/** Writes a CSV file of so many rows and 4 columns. */
export async function writeRowsFile(file: string, rows: number): Promise<void> {
	const stream = createWriteStream(file);
	stream.write('phone,name,city,code\n');
	for (let first = 0; first < rows; first += 1000) {
		const lines = Array.from({ length: Math.min(1000, rows - first) }, (_, offset) => {
			const index = first + offset;
			return `+4477${String(index).padStart(8, '0')},Name ${String(index)},Leeds,C${String(index)}\n`;
		});
		if (!stream.write(lines.join(''))) await once(stream, 'drain');
	}
	stream.end();
	await once(stream, 'finish');
}
