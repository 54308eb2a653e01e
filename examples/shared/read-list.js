const { binary = {} } = $input.first();
const [field] = Object.keys(binary);
if (field === undefined) throw new Error('It is empty.');
const bytes = await this.helpers.getBinaryDataBuffer(0, field);
const text = bytes
	.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8')
	.replace(/^\uFEFF/, '');
const header = text.split(/[\r\n]/).find((line) => line !== '') ?? '';
if (text.includes('\0') || /[\x01-\x08]/.test(header)) throw new Error('It is not a CSV file.');
if (header.startsWith('sep='))
	throw new Error('Its first line is not the header. Remove that line.');
const damaged = text.indexOf('\uFFFD');
if (damaged >= 0)
	throw new Error(
		`Letters in line ${text.slice(0, damaged).split(/\r\n|\r|\n/).length} are damaged. In Excel, save it as "CSV UTF-8".`,
	);
const ends = new Set(text.replace(/"[^"]*"/g, '').match(/\r*\n|\r/g));
if (ends.size > 1 || ends.has('\r\r\n'))
	throw new Error('Its lines end in different ways. Open it in Excel and save it again.');

// The separator is what divides the header into most columns, outside of quotation marks.
const columnsBy = (sign) => header.replace(/"[^"]*"/g, '').split(sign).length;
const [separator] = [',', ';', '\t'].sort((a, b) => columnsBy(b) - columnsBy(a));
const lines = [[]];
const cells = new RegExp(
	`(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}][^\\r\\n${separator}]*)?)(${separator}|\\r\\n|\\r|\\n|$)`,
	'gy',
);
for (let end = ''; cells.lastIndex < text.length || end === separator;) {
	const place = cells.lastIndex;
	const [, quoted, plain = '', sign] = cells.exec(text) ?? [];
	if (sign === undefined)
		throw new Error(
			`A quotation mark in line ${text.slice(0, place).split(/\r\n|\r|\n/).length} is not closed, or stands inside of a cell.`,
		);
	lines.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
	if (sign !== separator) lines.push([]);
	end = sign;
}
const [found = [], ...rows] = lines
	.map((values, index) => Object.assign(values, { row: index + 1 }))
	.filter((values) => values.length > 1 || (values[0] ?? '') !== '');
if (rows.length === 0) throw new Error('It has no rows.');
// What a page shows of the file is text, not HTML.
const asText = (cell) => cell.replace(/[<>&]/g, '');
const missing = columns.filter((column) => !found.includes(column));
if (missing.length > 0) {
	const list = found
		.slice(0, 20)
		.map((name) => `"${asText(name)}"`)
		.join(', ')
		.slice(0, 300);
	throw new Error(`It has no column "${missing.join('", "')}". Its columns: ${list}.`);
}
const twice = found.find((name, index) => name !== '' && found.indexOf(name) < index);
if (twice !== undefined) throw new Error(`It has two columns "${asText(twice)}".`);
const uneven = rows.find((values) => values.length !== found.length);
if (uneven !== undefined)
	throw new Error(
		`Row ${uneven.row} has ${uneven.length} cells, and the header has ${found.length}.`,
	);

const table = rows.map((values) => ({
	...Object.fromEntries(
		found.map((name, index) => [name, values[index]]).filter(([name]) => name !== ''),
	),
	row: values.row,
}));
return readCells(table, kinds, columns).map((json) => ({ json, pairedItem: { item: 0 } }));
