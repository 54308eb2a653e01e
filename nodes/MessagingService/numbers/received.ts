import { isUsable } from './complete';
import type { NumberType } from './numberTypes';
import { numberingPlanOf, regions, type NumberingPlan } from './plans';
import { comparedIn, internationalForm, readNumber } from './readNumber';

/**
 * A number of the service's events and lists in international form, where it can be read beyond doubt;
 * as received otherwise. `447400123456` is `+447400123456`, unless it is also a mobile as people write
 * it within another country.
 * @param country the Default Country of the credential, whose numbers may be written without its code
 */
export function receivedNumber<Value>(value: Value, country = ''): Value | string {
	if (typeof value === 'number') {
		const number = receivedNumber(String(value), country);
		return number.startsWith('+') ? number : value;
	}
	if (typeof value !== 'string' || value === '') return value;
	const options = comparedIn(country);
	if (numberingPlanOf(options.defaultCountry ?? '') !== undefined) {
		const reading = readNumber(value, options);
		return (reading.problem === undefined ? reading.e164 : undefined) ?? value;
	}
	const digits = value.replace(/[\s().-]/g, '');
	if (!/^[1-9]\d+$/.test(digits)) return internationalForm(value) ?? value;
	const number = internationalForm(`+${digits}`);
	return number === undefined || !isUsable(number) || isNational(digits) ? value : number;
}

const MOBILE: readonly NumberType[] = ['mobile', 'fixedLineOrMobile'];

/** The plans that have mobiles, by how many digits those have. */
const plansByLength = new Map<number, NumberingPlan[]>();

function plansOf(length: number): NumberingPlan[] {
	const plans =
		plansByLength.get(length) ??
		regions()
			.flatMap((region) => numberingPlanOf(region) ?? [])
			// A type for both has the lengths of both.
			.filter((plan) => plan.hasLength(['mobile', 'fixedLine'], length));
	plansByLength.set(length, plans);
	return plans;
}

/**
 * Whether digits are a mobile as written within a country. Landlines do not count: countries whose
 * landlines have so many digits write them with the digit that is dialed before.
 */
function isNational(digits: string): boolean {
	return plansOf(digits.length).some((plan) => MOBILE.includes(plan.typeOf(digits)));
}
