import fc from 'fast-check';
import {
	costlyCharacters,
	estimatedCost,
	isGsmText,
	measure,
	withPlainCharacters,
} from '../../nodes/MessagingService/messageText';
import { holds } from '../support/runs';

describe('the length of a message', () => {
	test.each([
		['', 'GSM-7', 0, 0],
		['a'.repeat(160), 'GSM-7', 160, 1],
		['a'.repeat(161), 'GSM-7', 161, 2],
		['a'.repeat(306), 'GSM-7', 306, 2],
		['a'.repeat(307), 'GSM-7', 307, 3],
		['Zoë', 'UCS-2', 3, 1],
		['à la carte, naïveté'.replace('ï', 'i'), 'GSM-7', 19, 1],
		['ü'.repeat(160), 'GSM-7', 160, 1],
		['ï'.repeat(70), 'UCS-2', 70, 1],
		['ï'.repeat(71), 'UCS-2', 71, 2],
		['ï'.repeat(134), 'UCS-2', 134, 2],
		['ï'.repeat(135), 'UCS-2', 135, 3],
		['€'.repeat(80), 'GSM-7', 160, 1],
		['€'.repeat(81), 'GSM-7', 162, 2],
		['😀'.repeat(35), 'UCS-2', 70, 1],
	])('of %j', (text, encoding, units, parts) => {
		expect(measure(text)).toEqual({ encoding, units, parts });
	});

	test('is counted with the 127 characters of GSM-7, and its ten that take two', () => {
		const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
		const gsm = all.filter(isGsmText);
		const units = gsm.map((each) => measure(each).units);
		expect(units.filter((each) => each === 1)).toHaveLength(127);
		expect(gsm.filter((_, index) => units[index] === 2).sort()).toEqual([...'\f[\\]^{|}~€'].sort());
		const letters = 'ÄÖÜäöüß ÅÆØåæø ÉÑàèéìñòùÇ ΓΔΘΛΞΠΣΦΨΩ £$¥¤ ¡¿§ @_\r\n';
		for (const each of letters) expect([each, isGsmText(each)]).toEqual([each, true]);
	});

	test('keeps both halves of a character in one part', () => {
		// 76 of two septets fill 152 of 153: the last septet stays free.
		expect(measure('€'.repeat(76 * 2)).parts).toBe(2);
		expect(measure('€'.repeat(76 * 2 + 1)).parts).toBe(3);
		// 33 of two units fill 66 of 67.
		expect(measure('😀'.repeat(33 * 2)).parts).toBe(2);
		expect(measure('😀'.repeat(33 * 2 + 1)).parts).toBe(3);
	});

	test('never needs fewer parts for a longer text', async () => {
		await holds(
			fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
				expect(measure(a + b).parts).toBeGreaterThanOrEqual(measure(a).parts);
			}),
			100,
		);
	});
});

describe('characters that cost parts', () => {
	test('are all those outside GSM-7, and taking them out saves the parts', async () => {
		const texts = fc.string({ unit: 'grapheme', maxLength: 400 });
		await holds(
			fc.property(texts, texts, (a, b) => {
				const text = `${a}${'x'.repeat(60)}${b}`;
				const costly = costlyCharacters(text);
				const without = [...text].map((each) => (isGsmText(each) ? each : '?')).join('');
				const [before, after] = [measure(text).parts, measure(without).parts];
				if (before <= after) expect(costly).toBeUndefined();
				else expect(costly).toMatchObject({ parts: before, partsWithout: after });
				for (const each of costly?.characters ?? []) expect(isGsmText(each)).toBe(false);
			}),
			100,
		);
	});
});

describe('plain characters', () => {
	const typed = fc.constantFrom(...'‘’‚‛′´`“”„″«»‐‑–—−…\u00a0\u2009\u202f\u200b\ufeff•a bé😀ï[€');
	const texts = fc.string({ unit: typed, maxLength: 250 });

	test('are written only where the message takes fewer parts with them', async () => {
		await holds(
			fc.property(texts, (text) => {
				const plain = withPlainCharacters(text);
				if (plain !== text) expect(measure(plain).parts).toBeLessThan(measure(text).parts);
				// What no word processor writes by itself stays.
				const own = (value: string) => [...value].filter((each) => /[abé😀ï[€]/u.test(each));
				expect(own(plain)).toEqual(own(text));
			}),
			300,
		);
	});

	test('stand for what word processors and keyboards write', () => {
		const forms = {
			"'": '‘’‚‛′´`ʼ',
			'"': '“”„‟″«»',
			'-': '‐‑‒–—―−•·',
			...{ '...': '…', ' ': '\u00a0\u2000\u2009\u200a\u202f\u205f\u3000' },
			'': '\u00ad\u200b\u2060\ufeff',
		};
		for (const [plain, costly] of Object.entries(forms)) {
			for (const each of costly) {
				const text = (character: string) => `${'a'.repeat(50)}${character}${'b'.repeat(50)}`;
				expect([each, withPlainCharacters(text(each))]).toEqual([each, text(plain)]);
			}
		}
	});

	test('are letters with their accents as one character', () => {
		const text = `Jose\u0301 ${'a'.repeat(80)}`;
		expect(costlyCharacters(text)).toMatchObject({ parts: 2, isReplaceable: true });
		expect(withPlainCharacters(text)).toBe(text.replace('e\u0301', 'é'));
	});

	test('have no marks of direction, which a number copied from contacts has around it', () => {
		const text = (number: string) => `Call ${number} ${'a'.repeat(80)}`;
		const copied = text('\u202d+44 7700 900123\u202c');
		expect(costlyCharacters(copied)).toMatchObject({ parts: 2, isReplaceable: true });
		expect(withPlainCharacters(copied)).toBe(text('+44 7700 900123'));
		// Where letters are written from right to left, the marks keep the digits in order.
		const hebrew = `שלום \u202d+44 7700 900123\u202c’ ${'א'.repeat(46)}`;
		expect(withPlainCharacters(hebrew)).toBe(hebrew);
	});

	test('have no signs that join letters where no letter needs them', () => {
		const text = `Mit besten Grüßen\u200c ${'a'.repeat(80)}`;
		expect(costlyCharacters(text)).toMatchObject({ parts: 2, isReplaceable: true });
		expect(withPlainCharacters(text)).toBe(text.replace('\u200c', ''));
		// In Persian, they keep two letters apart.
		const persian = `می\u200cخواهم ’ ${'ا'.repeat(65)}`;
		expect(withPlainCharacters(persian)).toContain('\u200c');
	});

	test.each(['It’s on', `It’s on 😀 ${'a'.repeat(100)}`])('leave %j as it is', (text) => {
		expect(withPlainCharacters(text)).toBe(text);
	});
});

test('a character is not called costly where those of GSM-7 that count twice take as many parts', () => {
	expect(costlyCharacters(`${'{'.repeat(80)}ł`)).toBeUndefined();
	expect(costlyCharacters(`${'{'.repeat(79)}ł`)).toMatchObject({ parts: 2, partsWithout: 1 });
});

test('signs that join letters stay in a text that another letter keeps costly', () => {
	const family = '👩\u200d👧';
	expect(withPlainCharacters(`${'e\u0301'.repeat(40)}${family}`)).toBe(
		`${'é'.repeat(40)}${family}`,
	);
});

test.each([
	[{}, undefined, {}],
	[{ currency: 'EUR' }, undefined, {}],
	[{ pricePerPart: 0.05 }, undefined, { estimatedCost: 0.1 }],
	[{ pricePerPart: 0.05, currency: 'EUR' }, undefined, { estimatedCost: 0.1, currency: 'EUR' }],
	[{ pricePerPart: 0.05 }, 3, { estimatedCost: 0.3, estimatedCostIsMinimum: true }],
	[{ pricePerPart: 0.05 }, 0, { estimatedCost: 0, estimatedCostIsMinimum: true }],
])('by the price %j, two parts to %p recipients cost %j', (price, recipients, cost) => {
	expect(estimatedCost(price, 'a'.repeat(161), recipients)).toStrictEqual(cost);
});
