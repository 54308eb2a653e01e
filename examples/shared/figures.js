const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What a dry run found, line by line: exactly what will be sent, to how many people, for how much. */
function linesOf(found, { sender, text }) {
	const { recipients = 0, wouldSend, estimatedCost, currency = '', details = {} } = found;
	const { warnings = [] } = found;
	const { byCountry = {}, message, reasons = [], duplicatesCount = 0, skippedCount = 0 } = details;
	const perPerson = message?.parts > 1 ? ` (${message.parts} per person)` : '';
	const isCostly = message?.parts > 1 && message.encoding !== 'GSM-7';
	const why = isCostly ? '\nLonger because of an emoji, or a letter or sign like ç and –' : '';
	const leftOut = [
		...reasons.map(({ count, first }) => `${count} × ${first.reason}`),
		...(duplicatesCount > 0 ? [`${duplicatesCount} × duplicate`] : []),
	];
	return [
		...(wouldSend === true ? [] : [['Cannot be sent', found.reason ?? found.error ?? '']]),
		['Text', text],
		['Sender', sender],
		...(warnings.length > 0 ? [['Looks wrong', warnings.join('\n')]] : []),
		['People', recipients],
		[
			'Countries',
			Object.entries(byCountry)
				.map((entry) => entry.join(' '))
				.join(', '),
		],
		['SMS parts', `${message?.partsInAll ?? 0}${perPerson}${why}`],
		[
			'Cost',
			estimatedCost === undefined
				? 'unknown, the credential has no price'
				: `at least ${estimatedCost.toFixed(2)} ${currency}`.trim(),
		],
		['Left out', [skippedCount, ...leftOut].join('\n')],
	];
}

/** The lines as a table in which every sign of the text is shown as it is sent. */
const tableOf = (lines) =>
	`<table>${lines.map(([name, value]) => `<tr><th>${escape(name)}</th><td style="white-space: pre-wrap">${escape(value)}</td></tr>`).join('')}</table>`;
