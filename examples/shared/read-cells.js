const words = (text) => new Set(text.split(' '));
const YES = words(
	'yes y true 1 x ok ja j oui o sí sì si s sim da да д igen tak ano joo kyllä hai はい 是 wahr vrai vero verdadero ✓ ✔ ✔️ ☑ ☑️ ✅ on checked',
);
const NO = words(
	'no n false 0 - nein non nee não nu нет н nem nie ne ei いいえ 否 falsch faux falso ✗ ✘ ✖ ☐ ❌ off unchecked',
);
/** "yes", "no", or undefined if the word is not known. */
function yesOrNo(value) {
	const word = value.normalize().trim().toLowerCase();
	return YES.has(word) ? 'yes' : word === '' || NO.has(word) ? 'no' : undefined;
}

/** 2030-05-17 for a date in one of the usual forms; undefined if it is none, or could be two. */
function dateOf(value, isDayFirst) {
	const cell = value.trim();
	const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(cell) ?? [];
	const [, first, sign, second, last] =
		/^(\d{1,2})([./-]) ?(\d{1,2})[./-] ?(\d{4})(?: .*)?$/.exec(cell) ?? [];
	const dayFirst = sign === '.' || Number(first) > 12 || (Number(second) <= 12 && isDayFirst);
	if (first !== undefined && dayFirst === undefined) return undefined;
	const date =
		year !== undefined
			? DateTime.utc(Number(year), Number(month), Number(day))
			: first !== undefined
				? DateTime.utc(
						Number(last),
						Number(dayFirst ? second : first),
						Number(dayFirst ? first : second),
					)
				: // The number that Excel keeps for a day.
					/^[2-7]\d{4}$/.test(cell)
					? DateTime.utc(1899, 12, 30).plus({ days: Number(cell) })
					: ['d MMMM yyyy', 'd MMM yyyy', 'MMMM d, yyyy', 'MMM d, yyyy']
							.map((format) => DateTime.fromFormat(cell, format, { zone: 'utc', locale: 'en' }))
							.find(({ isValid }) => isValid);
	return date?.isValid ? date.toISODate() : undefined;
}

/** Whether 3/4/2030 is in April, as the other rows show; undefined if they do not. */
function dayComesFirst(values) {
	const pairs = values
		.map((value) => /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}/.exec(value.trim()))
		.filter(Boolean);
	const first = pairs.some(([, day]) => Number(day) > 12);
	return first === pairs.some(([, , day]) => Number(day) > 12) ? undefined : first;
}

/** 09:30 for a time in one of the usual forms. */
function timeOf(value) {
	const [, hour, minute = '00', half] =
		/^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})? ?([ap]m|uhr|h)?$/i.exec(value.trim()) ?? [];
	if (hour === undefined || Number(minute) > 59) return undefined;
	const isHalf = /[ap]m/i.test(half ?? '');
	if (isHalf ? hour < 1 || hour > 12 : hour > 23) return undefined;
	const hours = isHalf ? (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
	return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** How each kind of column is read, and what it should look like. */
function readingsOf(rows, { yesNo = [], dates = [], times = [] }) {
	const textsOf = (column) => rows.map((row) => String(row[column] ?? ''));
	return [
		...yesNo.map((column) => [column, yesOrNo, 'yes or no']),
		...dates.map((column) => {
			const isDayFirst = dayComesFirst(textsOf(column));
			return [column, (value) => dateOf(value, isDayFirst), 'a date like 2030-05-17'];
		}),
		...times.map((column) => [column, timeOf, 'a time like 09:30']),
	];
}

/**
 * Rows whose cells are read. One that cannot be read stays as it was written; `problem` names it.
 * Columns that are not needed may be missing, and their cells empty.
 */
function readCells(rows, kinds, needed) {
	const readings = readingsOf(rows, kinds);
	return rows.map((row) => {
		const json = { ...row };
		const problems = readings.flatMap(([column, read, form]) => {
			const cell = String(row[column] ?? '');
			if (cell.trim() === '' && !needed.includes(column)) return [];
			const value = read(cell);
			json[column] = value ?? cell;
			return value === undefined
				? [`${column} "${cell.replace(/[<>&]/g, '').slice(0, 40)}" is not ${form}`]
				: [];
		});
		return { ...json, problem: problems.join(', ') };
	});
}
