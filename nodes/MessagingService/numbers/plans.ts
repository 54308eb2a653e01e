import { once } from 'lodash';
import { PLANS } from './data/plans';
import { NUMBER_TYPES, type NumberType } from './numberTypes';

const NONE = '-';
const NEVER = /(?!)/;

/** What numbers of one type look like. */
interface TypePattern {
	/** Bit n is set where they can have n digits. */
	lengths: number;
	pattern: RegExp;
}

/** The numbering plan of one region: a line of the table (data/plans.ts). */
export class NumberingPlan {
	/** ISO 3166-1 alpha-2, or '001' for numbers of no country. */
	readonly region: string;
	/** Without +. */
	readonly callingCode: string;
	/** What is dialed before a national number, '' where nothing is. */
	readonly trunkPrefix: string;
	/** Whether 00 and nothing else is dialed for international calls. */
	readonly exitsWith00: boolean;
	private readonly exitCodes: RegExp | undefined;
	private readonly pattern: RegExp | undefined;
	private readonly prefix: RegExp | undefined;
	private readonly replacement: string;
	private readonly leadingDigits: RegExp | undefined;
	private readonly types: ReadonlyMap<NumberType, TypePattern>;

	constructor(line: string) {
		const fields = line.split(' ').map((field) => (field === NONE ? '' : field));
		const [region = '', callingCode = '', exitCodes = '', pattern, lengths = ''] = fields;
		const [trunkPrefix = '', prefix, replacement = '', leadingDigits, ...types] = fields.slice(5);
		this.region = region;
		this.callingCode = callingCode;
		this.trunkPrefix = trunkPrefix;
		this.exitsWith00 = exitCodes === '00';
		this.exitCodes = startingWith(exitCodes);
		this.pattern = startingWith(pattern, '$');
		this.prefix = startingWith(prefix);
		this.replacement = replacement;
		this.leadingDigits = startingWith(leadingDigits);
		this.types = typesIn(types, lengths);
	}

	/** Whether a national number fits the plan as a whole, of whichever type. */
	fits(national: string): boolean {
		return this.pattern?.test(national) ?? false;
	}

	/** What follows the code for international calls, if the digits begin with one and a country code. */
	withoutExitCode(digits: string): string | undefined {
		const match = this.exitCodes?.exec(digits);
		const rest = match ? digits.slice(match[0].length) : '0';
		return rest.startsWith('0') ? undefined : rest;
	}

	/**
	 * The digits without trunk prefix and carrier code, or undefined where there is none. In a few
	 * countries this completes a local number instead, or moves the digit that marks a mobile one.
	 */
	withoutPrefix(digits: string): string | undefined {
		const { prefix, replacement } = this;
		const match = prefix?.exec(digits);
		if (prefix === undefined || !match) return undefined;
		const rest =
			replacement !== '' && match.length > 1 && match[match.length - 1]
				? digits.replace(prefix, replacement)
				: digits.slice(match[0].length);
		return rest === digits ? undefined : rest;
	}

	/**
	 * The national number without what is dialed before it. As in libphonenumber, this is removed
	 * unless only the digits with it fit the plan.
	 */
	significant(digits: string): string {
		const rest = this.withoutPrefix(digits);
		return rest !== undefined && (this.fits(rest) || !this.fits(digits)) ? rest : digits;
	}

	/** Whether the first digits say that a number is of this region; undefined: the plan names none. */
	leads(national: string): boolean | undefined {
		return this.leadingDigits?.test(national);
	}

	typeOf(national: string): NumberType {
		if (!this.fits(national)) return 'unknown';
		if (!this.isOfType(national, 'fixedLine')) {
			return ORDER.find((type) => this.isOfType(national, type)) ?? 'unknown';
		}
		// Some plans have the same ranges for fixed lines and mobile phones.
		const isMobile = !this.types.has('mobile') || this.isOfType(national, 'mobile');
		return isMobile ? 'fixedLineOrMobile' : 'fixedLine';
	}

	/** The source of an expression that fits all numbers of a type; undefined where there are none. */
	sourceOf(type: NumberType): string | undefined {
		if (type === 'unknown') return '';
		return this.types.get(type === 'fixedLineOrMobile' ? 'fixedLine' : type)?.pattern.source;
	}

	/** Whether numbers of one of these types can have so many digits. */
	hasLength(types: readonly NumberType[], digits: number): boolean {
		return types.some((type) => (((this.types.get(type)?.lengths ?? 0) >> digits) & 1) === 1);
	}

	/** Whether numbers of a type always have fewer digits. */
	hasShorter(type: NumberType, digits: number): boolean {
		return (this.types.get(type)?.lengths ?? 0) >> digits === 0;
	}

	private isOfType(national: string, type: NumberType): boolean {
		const found = this.types.get(type);
		if (found === undefined || ((found.lengths >> national.length) & 1) === 0) return false;
		return found.pattern.test(national);
	}
}

function startingWith(source = '', end = ''): RegExp | undefined {
	return source === '' ? undefined : new RegExp(`^(?:${source})${end}`);
}

/** @param lengths those of the plan, for types that have none of their own */
function typesIn(fields: readonly string[], lengths: string): Map<NumberType, TypePattern> {
	const types = new Map<NumberType, TypePattern>();
	fields.forEach((field, index) => {
		const colon = field.indexOf(':');
		const pattern = startingWith(field.slice(colon + 1), '$');
		if (pattern === undefined) return;
		const mask = field.slice(0, colon) || lengths;
		types.set(NUMBER_TYPES[index] ?? 'unknown', { lengths: parseInt(mask, 16), pattern });
	});
	return types;
}

/** The order in which a number that is not a fixed-line number is tried: as libphonenumber does. */
const ORDER: readonly NumberType[] = [
	'mobile',
	'premiumRate',
	'tollFree',
	'sharedCost',
	'voip',
	'personalNumber',
	'pager',
	'companyNumber',
	'voicemail',
];

/** A calling code, and the plans that share it. They are read when one of them is first needed. */
export class CallingCode {
	readonly digits: string;
	readonly lines: string[] = [];
	private read: readonly NumberingPlan[] | undefined;

	constructor(digits: string) {
		this.digits = digits;
	}

	/** The main region first. */
	get plans(): readonly NumberingPlan[] {
		return (this.read ??= this.lines.map((line) => new NumberingPlan(line)));
	}

	get main(): NumberingPlan {
		return this.plans[0] as NumberingPlan;
	}

	/** Fits all national numbers of some types, and few others. */
	patternOf(types: readonly NumberType[]): RegExp {
		const sources = this.plans.flatMap((plan) =>
			types.flatMap((type) => plan.sourceOf(type) ?? []),
		);
		return sources.length === 0 ? NEVER : new RegExp(sources.join('|'));
	}
}

/** The calling codes by the first three digits of an international number, and by region. */
const tables = once(() => {
	const codes = new Array<CallingCode | undefined>(1000);
	const byRegion = new Map<string, CallingCode>();
	for (const line of PLANS.split('\n')) {
		const [region = '', digits = ''] = line.split(' ', 2);
		const span = 10 ** (3 - digits.length);
		const first = Number(digits) * span;
		const code = codes[first] ?? new CallingCode(digits);
		codes.fill(code, first, first + span);
		code.lines.push(line);
		if (region !== '001') byRegion.set(region, code);
	}
	return { codes, byRegion };
});

/** The calling code that international digits begin with: from an index on, after a plus sign. */
export function callingCodeOf(text: string, from = 0): CallingCode | undefined {
	// A calling code with fewer digits has all places behind it.
	const digitAt = (index: number) => text.charCodeAt(from + index) - 48 || 0;
	return tables().codes[digitAt(0) * 100 + digitAt(1) * 10 + digitAt(2)];
}

/** @param region ISO 3166-1 alpha-2, in capitals; undefined for one without a plan */
export function numberingPlanOf(region: string): NumberingPlan | undefined {
	return tables()
		.byRegion.get(region)
		?.plans.find((plan) => plan.region === region);
}

/** The regions that have a numbering plan: ISO 3166-1 alpha-2 (and XK, Kosovo), sorted. */
export function regions(): string[] {
	return [...tables().byRegion.keys()].sort();
}

/** What the numbering plans say about an E.164 number. */
export interface Classification {
	/** ISO 3166-1 alpha-2; undefined for numbers of no country (+800, +883, ...). */
	country?: string;
	type: NumberType;
}

/**
 * Country and type of an E.164 number. Where regions share a calling code, the first whose numbers
 * look like this one; where none does, the main region, and the type is unknown.
 *
 * @param number with +
 */
export function classify(number: string): Classification {
	const code = callingCodeOf(number, 1);
	if (code === undefined) return { type: 'unknown' };
	const national = number.slice(1 + code.digits.length);
	for (const plan of code.plans) {
		const leads = plan.leads(national);
		if (leads === false) continue;
		const type = plan.typeOf(national);
		if (leads === true || type !== 'unknown') return classification(plan, type);
	}
	return classification(code.main, code.main.typeOf(national));
}

function classification({ region }: NumberingPlan, type: NumberType): Classification {
	return region === '001' ? { type } : { country: region, type };
}

/**
 * Tells the type of E.164 numbers that are of one of some types. One pattern for each calling code rules
 * most numbers out: `classify`, which tries several, makes a file of a million rows a sixth slower.
 */
export function typeAmong(
	types: readonly NumberType[],
): (number: string) => NumberType | undefined {
	const patterns = new Map<CallingCode, RegExp>();
	const mayBeOne = (number: string, code: CallingCode) => {
		const pattern = patterns.get(code) ?? code.patternOf(types);
		patterns.set(code, pattern);
		return pattern.test(number.slice(1 + code.digits.length));
	};
	return (number) => {
		const code = callingCodeOf(number, 1);
		if (code !== undefined && !mayBeOne(number, code)) return undefined;
		const { type } = classify(number);
		return types.includes(type) ? type : undefined;
	};
}
