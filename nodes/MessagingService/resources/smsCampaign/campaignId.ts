import { pathSegment } from '../../transport/request';
import { InputError } from '../../parameters/inputError';
import type { ParameterReader } from '../../parameters/reader';
import { smsCampaignLocator } from '../shared/locators';

/** Words that other endpoints have in the place of the ID, in any case. */
const RESERVED = /^(true|false|voice)$/i;

/**
 * The ID of an SMS campaign and its path. A word that means another endpoint there is refused:
 * `POST /api/Campaigns/true` would create a campaign instead of changing one.
 */
export function readCampaign(parameters: ParameterReader): { id: string; path: string } {
	const id = parameters.locator(smsCampaignLocator);
	if (RESERVED.test(id)) {
		throw new InputError(
			'Campaign',
			`is not the ID of a campaign (${id})`,
			'Select the campaign from the list, or enter its ID.',
		);
	}
	return { id, path: `/api/Campaigns/${pathSegment(id)}` };
}
