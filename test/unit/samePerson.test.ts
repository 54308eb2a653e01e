import { NumberList } from '../../nodes/MessagingService/numbers/numberList';
import { personKey } from '../../nodes/MessagingService/numbers/samePerson';
import { readNumber, type NumberOptions } from '../../nodes/MessagingService/numbers/readNumber';
import { classify } from '../../nodes/MessagingService/numbers/plans';
import { CHANGED_NUMBERS, TWO_PERSONS } from './support/changedNumbers';

const international: NumberOptions = { format: 'international' };

/** What do-not-contact says of a number, with another one stored, however that can be read. */
function optOut(stored: string, asked: string) {
	const list = new NumberList();
	const reading = readNumber(stored, international);
	if (reading.problem === undefined) list.add(reading);
	else list.addUnreadable(stored);
	const number = readNumber(asked, international);
	// A number that no plan has is refused, and so reaches nobody.
	return number.problem === undefined ? list.covers(number) : 'refused';
}

const certain = CHANGED_NUMBERS.filter(([, , , verdict]) => verdict === 'one');
const uncertain = CHANGED_NUMBERS.filter(([, , , verdict]) => verdict === 'maybe');

describe('one person with two spellings of a number', () => {
	it.each(certain)('%s: %s is %s', (_, was, is) => {
		expect(personKey(was)).toBe(personKey(is));
	});

	it.each(certain)('%s: %s without its + is %s, too', (_, was, is) => {
		const [written, complete] = [was.slice(1), is].map((text) => readNumber(text, international));
		expect(written).toHaveProperty('key', (complete as { key: string }).key);
	});

	it('is told what to write where the country takes the old one no more', () => {
		const refused = certain.flatMap(([country, was, is]) => {
			const { problem } = readNumber(was, international);
			return problem === undefined ? [] : [{ country, was, is, ...problem }];
		});
		expect(refused.length).toBeGreaterThan(5);
		for (const { was, is, text, advice } of refused) {
			expect(text).toBe(`is an old spelling, not valid any more (${was})`);
			expect(advice).toContain(`Write ${is}:`);
		}
	});
	it.each([
		['BJ', '91234567', '+2290191234567'],
		['CI', '01 02 03 04', '+2250101020304'],
		['BR', '(11) 98123-4567', undefined],
		['BR', '(11) 8123-4567', '+5511981234567'],
	])('is told so in %s, also of a national number: %s', (defaultCountry, was, is) => {
		const { problem } = readNumber(was, { ...international, defaultCountry });
		if (is === undefined) expect(problem).toBeUndefined();
		else expect(problem?.advice).toBe(`Write ${is}: its country has changed such numbers.`);
	});

	it.each(['+22932345678', '+23432345678', '+5721123456'])(
		'is not told of %s, whose new spelling is in no use either',
		(number) => {
			const { problem } = readNumber(number, international);
			expect(problem?.text).toMatch(/^is not a valid number for country code \+\d+ /);
		},
	);

	it.each(uncertain)('%s: whether %s is %s cannot be told', (_, was, is) => {
		expect(personKey(was)).not.toBe(personKey(is));
	});

	it.each(CHANGED_NUMBERS)('%s: who has opted out as %s is not reached as %s', (_, was, is) => {
		expect(['is', 'may be']).toContain(optOut(was, is));
		expect(['is', 'may be', 'refused']).toContain(optOut(is, was));
	});

	it.each(CHANGED_NUMBERS)('%s: in place of %s, %s is in use today', (_, __, is) => {
		expect(classify(is).type).not.toBe('unknown');
	});
});

describe('each block of a changed plan', () => {
	it('Ivory Coast: the second digit of a mobile number told its operator', () => {
		for (const first of '0456789') {
			for (const [place, second] of [...'0123456789'].entries()) {
				const operator = place <= 3 ? '01' : place <= 6 ? '05' : '07';
				const was = `${first}${second}123456`;
				expect(personKey(`+225${was}`)).toBe(personKey(`+225${operator}${was}`));
			}
		}
	});

	it('Ivory Coast: the third digit of a fixed line told its operator', () => {
		for (const area of ['20', '21', '22', '30', '36']) {
			for (const third of '0123456789') {
				const operator = { 0: '25', 8: '21' }[third] ?? '27';
				const was = `${area}${third}12345`;
				expect(personKey(`+225${was}`)).toBe(personKey(`+225${operator}${was}`));
			}
		}
	});

	it.each([
		['Gabon, Libertis', '24102:24162 24105:24165 24106:24166 2412:24162 2415:24165 2416:24166'],
		['Gabon, Airtel', '24104:24174 24107:24177 2414:24174 2417:24177'],
		['Kosovo, mobile', '37744:38344 37745:38345 38643:38343 38649:38349'],
		['Kosovo, fixed', '38128:38328 38129:38329 38138:38338 38139:38339'],
		['Palestine, fixed', '97222:97022 97242:97042 97282:97082 97292:97092'],
	])('%s: %s', (_, codes) => {
		for (const [was, is] of codes.split(' ').map((pair) => pair.split(':'))) {
			expect(personKey(`+${was}123456`)).toBe(personKey(`+${is}123456`));
		}
	});

	it('Palestine: both operators of mobile phones are reached by both codes', () => {
		for (const operator of ['56', '59']) {
			expect(personKey(`+972${operator}9123456`)).toBe(personKey(`+970${operator}9123456`));
		}
	});

	it.each([
		['MobiFone', '120:70 121:79 122:77 126:76 128:78'],
		['VinaPhone', '123:83 124:84 125:85 127:81 129:82'],
		['Viettel', '162:32 163:33 164:34 165:35 166:36 167:37 168:38 169:39'],
		['Vietnamobile and Gmobile', '186:56 188:58 199:59'],
	])('Vietnam, %s: %s', (_, codes) => {
		for (const [was, is] of codes.split(' ').map((pair) => pair.split(':'))) {
			expect(personKey(`+84${was}1234567`)).toBe(personKey(`+84${is}1234567`));
		}
	});
});

describe('two persons stay two', () => {
	it.each(TWO_PERSONS)('%s: %s and %s', (_, one, other) => {
		expect(personKey(one)).not.toBe(personKey(other));
		expect(optOut(one, other)).toBeUndefined();
		expect(optOut(other, one)).toBeUndefined();
	});
});

describe('a number in no range in use', () => {
	it('covers, in the do-not-contact list, who has its last seven digits', () => {
		expect(optOut('+551191234567', '+5511991234567')).toBe('is');
		expect(optOut('+841020001234', '+842420001234')).toBe('may be');
	});

	it('leaves examples alone: +44 7700 900xxx is nobody', () => {
		expect(optOut('+447700900123', '+442900900123')).toBeUndefined();
	});
});
