import { InputError, shown } from '../../parameters/inputError';
import type { ParameterReader } from '../../parameters/reader';
import { voiceCampaignLocator } from '../shared/locators';

/**
 * The ID of a voice campaign, an integer, and its path. Anything else is refused: the letter `p` in
 * its place would list campaigns.
 */
export function readCampaignId(parameters: ParameterReader): { id: string; path: string } {
	const id = parameters.locator(voiceCampaignLocator);
	if (!/^\d+$/.test(id)) {
		throw new InputError(
			'Campaign',
			`is not a number (${shown(id)})`,
			'Select the campaign from the list, or enter its ID: a number.',
		);
	}
	return { id, path: `/api/campaigns/voice/${id}` };
}
