import { withoutLabel } from '../../nodes/MessagingService/numbers/labels';
import {
	NUMBER_TYPES,
	TYPE_LABELS,
	TYPE_NAMES,
} from '../../nodes/MessagingService/numbers/numberTypes';
import { plainText } from '../../nodes/MessagingService/numbers/plainText';
import { timeZonesOf } from '../../nodes/MessagingService/numbers/timeZones';

describe('the plain text of a cell', () => {
	// Chinese decimals are letters to Unicode.
	const systems = Intl.supportedValuesOf('numberingSystem').filter((name) => name !== 'hanidec');

	it.each(systems)('has ASCII digits instead of %s', (numberingSystem) => {
		const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
		expect(plainText(format.format(9_876_543_210))).toBe('9876543210');
	});

	it.each([
		[
			'a dash',
			'-',
			'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\uff70\u2e3a\u301c\ufe58\uff0d',
		],
		['a dot', '.', '\u00b7\u2022\u2024\u2027\u30fb\u3002\uff65\uff0e'],
		['an apostrophe', "'", '\u2018\u2019\u201b\u2032\u00b4\uff07'],
		['a plus', '+', '\uff0b\ufe62\u2795'],
		['a line break', '\n', '\u2028\u2029\r\n'],
		['a blank', ' ', '\u00a0\u2000\u2003\u2007\u2009\u202f\u205f\u3000\t\v\f'],
		['a bracket', '(', '\uff08('],
		['a quotation mark', '"', '\u201c\u201d\u201e'],
		['nothing', '', '\u200b\u200e\u202a\u202c\ufeff\u00ad\u0000\u001f\u0301\u20e3📞☎✆🇬🇧'],
	])('has %s for each sign that looks like it', (_name, plain, signs) => {
		for (const sign of signs) expect([sign, plainText(`1${sign}2`)]).toEqual([sign, `1${plain}2`]);
	});

	it.each([
		['&#43;44&#x20;7', '+44 7'],
		['&#X2B;44', '+44'],
		['%2b44%207%2D8%289%29', '+44 7-8(9)'],
		['&PLUS;44&nbsp;7&ndash;8', '+44 7-8'],
		['&lpar;0&rpar;7&period;8&sol;9', '(0)7.8/9'],
		['7&zwj;8&zwnj;9&lrm;0&rlm;1&shy;2', '789012'],
		['7&thinsp;8&ensp;9&emsp;0', '7 8 9 0'],
		['7&minus;8&mdash;9&hyphen;0', '7-8-9-0'],
		['7&quot;8&apos;9&amp;0', `7"8'9&0`],
		['7&bogus;8', '7&bogus;8'],
		['7%418', '7%418'],
		['<td>7</td><TD class="a">8</TD>', '7  8'],
		['7<8', '7<8'],
	])('has what %s means on a page', (written, plain) => {
		expect(plainText(written)).toBe(plain);
	});

	it.each([
		['="07"', '07'],
		['"07"', '07'],
		['\u201c07\u201d', '07'],
		['\u201e07\u201c', '07'],
		["'07'", '07'],
		['=+44', '+44'],
		['\u200b "07"', '07'],
		['07 "12"', '07 "12"'],
		['"07" 12', '"07" 12'],
		[' 07,; | ', '07'],
		['<07>', '07'],
		['8~10~44', '8-10-44'],
		['~8', '~8'],
		['8 ~ 1', '8 ~ 1'],
	])('is what stands inside %s', (written, plain) => {
		expect(plainText(written)).toBe(plain);
	});

	it.each([
		...['https://wa.me/447400123456', 'http://wa.me/447400123456', 'wa.me/447400123456'],
		...['WA.ME/+447400123456', '447400123456@c.us', '447400123456@s.whatsapp.net'],
		...['tel:+447400123456', 'TEL://+447400123456', 'sms:+447400123456?body=Hi%20there'],
		...['smsto:+447400123456', 'callto:+447400123456', 'whatsapp:+447400123456'],
		...['tel: +447400123456', "tel:'+447400123456", 'tel:+447400123456;isub=1;phone-context=a'],
		...['tel:7400123456;phone-context=+44', 'tel:7400123456;isub=12;PHONE-CONTEXT=+44'],
	])('is the number in %s', (written) => {
		expect(plainText(written)).toBe('+447400123456');
	});

	it.each([
		['tel: 07400 123456', '07400 123456'],
		["tel: ' 07400 123456 ;isub=1", '07400 123456'],
		["sms:'07400 123'456", "07400 123'456"],
		['tel:07400 123456?a=1\n?b=2', '07400 123456'],
	])('keeps the blanks and signs within the number of %s', (written, plain) => {
		expect(plainText(written)).toBe(plain);
	});

	it.each([
		...[
			'x https://wa.me/447400123456',
			'wa.me/447400',
			'wa.me/447400123456x',
			'xwa.me/447400123456',
		],
		...[
			'447400123456@c.use',
			'x447400123456@c.us',
			'447400@c.us',
			'ftel:+447400',
			'wa.me/4474001234567890',
		],
	])('is all of %s', (written) => {
		expect(plainText(written)).toBe(written);
	});
});

describe('a label', () => {
	it.each([
		...['Telefoon: 07', 'cellphone 07', 'Landline 07', 'Büro: 07', 'iMessage 07', 'Tel.: 07'],
		...['Phone (07', 'mobile/work 07', 'home-office: 07', 'Work phone = 07', '[tel] 07', '(m) 07'],
		...['no. 07', 'Nr.07', 'n° 07', 'Nº07', '№ 07', 'm: 07', 'h) 07', 't.07', 'w=07'],
	])('before the number is left out: %s', (text) => {
		expect(withoutLabel(text).replace(/\D/g, '')).toBe('07');
		expect(withoutLabel(text)).toMatch(/^\(?07$/);
	});

	it.each([
		...['07 (home)', '07 [m]', '07(work phone.)', '07, mobile', '07 - casa', '07: whatsapp.'],
		...['07;fono', '07 (w)', '07 trabajo', '(07) [c]', '07 HOME', '07 (M)', '07, Móvil'],
	])('after the number is left out: %s', (text) => {
		expect(withoutLabel(text)).toMatch(/^\(?07\)?$/);
	});

	it.each([
		...['no SMS 07', 'xtel 07', 'telx 07', 'm07', 'tel07', '07home', '07 homex', 'n 07', '07 (x)'],
		...['Fax 07', '07 fax', 'phone of Ann 07', '07 (home of Ann)', 'tel Ann 07'],
	])('is not in %s', (text) => {
		expect(withoutLabel(text)).toBe(text);
	});

	it.each([
		['(0xx11) 91234-5678', '(011) 91234-5678'],
		['0XX11 91234-5678', '011 91234-5678'],
		['( 0 xx 11) 1', '( 0 11) 1'],
		['0xx) 11', '0) 11'],
		['10xx11', '10xx11'],
		['0xx', '0xx'],
		['0 11xx 1', '0 11xx 1'],
	])('for any carrier is left out of %s', (text, plain) => {
		expect(withoutLabel(text)).toBe(plain);
	});
});

it.each(NUMBER_TYPES)('messages and fields name the type %s alike', (type) => {
	const plain = (text: string) => text.toLowerCase().replaceAll('-', ' ');
	const label = plain(TYPE_LABELS[type]).replace(/ number$/, '');
	expect(plain(TYPE_NAMES[type])).toBe(
		type === 'unknown' ? 'number of unknown type' : `${label} number`,
	);
	expect(plain(TYPE_LABELS[type]).replaceAll(' ', '')).toBe(type.toLowerCase());
});

it.each(['+999123456789', '+80012345678'])('the time zone of %s is not known', (number) => {
	expect(timeZonesOf(number)).toEqual([]);
});
