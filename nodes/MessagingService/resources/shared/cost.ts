import { round } from 'lodash';
import type { ServiceSettings } from '../../transport/settings';
import { measure } from '../../messageText';

/** More decimals come from the arithmetic of the computer. */
const DECIMALS = 6;

/**
 * What a message costs by the price in the credential, for the output.
 * @param recipients of a campaign: its parts are those of the text as it is written, which placeholders
 * and an opt-out link only make longer
 */
export function estimatedCost(
	{ pricePerPart }: Pick<ServiceSettings, 'pricePerPart'>,
	message: string,
	recipients?: number,
): { estimatedCost?: number; estimatedCostIsMinimum?: boolean } {
	if (pricePerPart === undefined) return {};
	const cost = round(pricePerPart * measure(message).parts * (recipients ?? 1), DECIMALS);
	const isMinimum = recipients === undefined ? {} : { estimatedCostIsMinimum: true };
	return { estimatedCost: cost, ...isMinimum };
}
