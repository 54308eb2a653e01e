import type { NumberType } from './numberTypes';
import { callingCodeOf, type NumberingPlan } from './plans';

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
