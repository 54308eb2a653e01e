import type * as PlansTable from './data/plans';
import { NUMBER_TYPES, type NumberType } from './numberTypes';

/** The places of a line of the table (see data/plans.ts). */
const FIELD = {
	region: 0,
	callingCode: 1,
	exitCodes: 2,
	pattern: 3,
	lengths: 4,
	trunkPrefix: 5,
	prefix: 6,
	replacement: 7,
	leadingDigits: 8,
	types: 9,
};
const NONE = '-';

/** The numbering plan of one region. Its expressions are compiled when first used. */
export class Plan {
	/** ISO 3166-1 alpha-2, or '001' for numbers of no country. */
	readonly region: string;
	/** Without +. */
	readonly callingCode: string;
	/** What is dialed before a national number, '' where nothing is. */
	readonly trunkPrefix: string;
	/** Bit n is set where a national number can have n digits. */
	private readonly lengths: number;
	private readonly fields: readonly string[];
	private readonly compiled: RegExp[] = [];
	private readonly types: { lengths: number; expression?: RegExp }[] = [];
	/** Whether the plan has the same ranges for fixed lines and mobile phones. */
	private readonly mobileIsFixed: boolean;

	constructor(line: string) {
		this.fields = line.split(' ');
		this.region = this.field(FIELD.region);
		this.callingCode = this.field(FIELD.callingCode);
		this.lengths = parseInt(this.field(FIELD.lengths), 16);
		this.trunkPrefix = this.field(FIELD.trunkPrefix);
		const mobile = this.field(FIELD.types + 1);
		this.mobileIsFixed = mobile === '' || mobile.endsWith(':');
	}

	/** Whether a national number fits the plan as a whole, of whichever type. */
	fits(national: string): boolean {
		return this.expression(FIELD.pattern, '$')?.test(national) ?? false;
	}

	/** What follows the code for international calls, if the digits begin with one and a country code. */
	withoutExitCode(digits: string): string | undefined {
		const match = this.expression(FIELD.exitCodes)?.exec(digits);
		const rest = match ? digits.slice(match[0].length) : '0';
		return rest.startsWith('0') ? undefined : rest;
	}

	/**
	 * The digits without trunk prefix and carrier code, or undefined where there is none. In a few
	 * countries this completes a local number instead, or moves the digit that marks a mobile one.
	 */
	withoutPrefix(digits: string): string | undefined {
		const { trunkPrefix } = this;
		if (trunkPrefix !== '' && this.field(FIELD.prefix) === trunkPrefix) {
			return digits.startsWith(trunkPrefix) ? digits.slice(trunkPrefix.length) : undefined;
		}
		const prefix = this.expression(FIELD.prefix);
		const match = prefix?.exec(digits);
		if (prefix === undefined || !match) return undefined;
		const replacement = this.field(FIELD.replacement);
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
		return this.expression(FIELD.leadingDigits)?.test(national);
	}

	typeOf(national: string): NumberType {
		if (!this.fits(national)) return 'unknown';
		if (this.isOfType(national, 0)) {
			const isSame = this.mobileIsFixed || this.isOfType(national, 1);
			return isSame ? 'fixedLineOrMobile' : 'fixedLine';
		}
		const index = ORDER.find((type) => this.isOfType(national, type));
		return (index === undefined ? undefined : NUMBER_TYPES[index]) ?? 'unknown';
	}

	private isOfType(national: string, type: number): boolean {
		const { lengths, expression } = (this.types[type] ??= this.readType(type));
		return ((lengths >> national.length) & 1) === 1 && (expression?.test(national) ?? false);
	}

	private readType(type: number): { lengths: number; expression?: RegExp } {
		const field = this.field(FIELD.types + type);
		const colon = field.indexOf(':');
		const mask = field.slice(0, Math.max(colon, 0));
		const pattern = field.slice(colon + 1);
		if (pattern === '') return { lengths: 0 };
		return {
			lengths: mask === '' ? this.lengths : parseInt(mask, 16),
			expression: new RegExp(`^(?:${pattern})$`),
		};
	}

	private field(index: number): string {
		const field = this.fields[index] ?? NONE;
		return field === NONE ? '' : field;
	}

	private expression(index: number, end = ''): RegExp | undefined {
		const known = this.compiled[index];
		if (known !== undefined) return known;
		const source = this.field(index);
		if (source === '') return undefined;
		return (this.compiled[index] = new RegExp(`^(?:${source})${end}`));
	}
}

/** The order in which a number that is not a fixed-line number is tried: as libphonenumber does. */
const ORDER = (
	[
		'mobile',
		'premiumRate',
		'tollFree',
		'sharedCost',
		'voip',
		'personalNumber',
		'pager',
		'companyNumber',
		'voicemail',
	] as const
).map((type) => NUMBER_TYPES.indexOf(type));

/** The plans that share a calling code, the main region first. */
export interface CallingCode {
	digits: string;
	plans: readonly Plan[];
	main: Plan;
}

interface Tables {
	/** By the first three digits of the international number. */
	codes: (CallingCode | undefined)[];
	regions: Map<string, Plan>;
}

let tables: Tables | undefined;

function load(): Tables {
	// Nothing reads the tables when n8n starts: they are loaded with the first phone number.
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
	const { PLANS } = require('./data/plans') as typeof PlansTable;
	const regions = new Map<string, Plan>();
	const byCode = new Map<string, Plan[]>();
	for (const line of PLANS.split('\n')) {
		const plan = new Plan(line);
		if (plan.region !== '001') regions.set(plan.region, plan);
		const group = byCode.get(plan.callingCode);
		if (group === undefined) byCode.set(plan.callingCode, [plan]);
		else group.push(plan);
	}
	const codes = new Array<CallingCode | undefined>(1000);
	for (const [digits, plans] of byCode) {
		const [main] = plans;
		if (main === undefined) continue;
		const span = 10 ** (3 - digits.length);
		codes.fill({ digits, plans, main }, Number(digits) * span, (Number(digits) + 1) * span);
	}
	return { codes, regions };
}

/** The calling code that international digits begin with: from an index on, after a plus sign. */
export function callingCodeOf(text: string, from = 0): CallingCode | undefined {
	// A calling code with fewer digits has all places behind it.
	const digitAt = (index: number) => text.charCodeAt(from + index) - 48 || 0;
	tables ??= load();
	return tables.codes[digitAt(0) * 100 + digitAt(1) * 10 + digitAt(2)];
}

export function planOf(region: string): Plan | undefined {
	tables ??= load();
	return tables.regions.get(region);
}

/** The regions that have a numbering plan: ISO 3166-1 alpha-2 (and XK, Kosovo), sorted. */
export function regions(): string[] {
	tables ??= load();
	return [...tables.regions.keys()].sort();
}
