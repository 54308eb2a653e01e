import axios from 'axios';
import { useSandbox } from './setup';

const sandbox = useSandbox();

const status = async (method: string, path: string): Promise<number> =>
	(
		await axios.request({
			method,
			url: `${sandbox().url}${path}`,
			headers: { 'X-Api-Key': sandbox().apiKey },
			validateStatus: () => true,
			proxy: false,
		})
	).status;

test.each([
	['/API/CAMPAIGNS', 200],
	['/api/campaigns/VOICE', 200],
	['/api/Campaigns/Voice/P', 200],
	['/api/campaigns/', 200],
	['/api/SMSMESSAGES', 200],
	['/api/phonenumberstorageitem/10/1', 200],
	['//api/PhoneNumberStorageItem/10/1', 200],
	['//api/phonenumberstorageitem/10/1?x=1', 400],
	['//api/Campaigns', 404],
	['/api//Campaigns', 404],
	['/Campaigns', 404],
	['/api/Campaign', 404],
	['/api/PhoneNumberStorageItem', 404],
	['/api/integrations/UpdateWebHook', 404],
])('GET %s responds with %d', async (path, expected) => {
	expect(await status('GET', path)).toBe(expected);
});

test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])('%s responds with 404', async (method) => {
	expect(await status(method, '/api/Campaigns')).toBe(404);
});
