import axios from 'axios';
import { withOverlay } from '../../sandbox/service/overlay';
import { useSandbox } from './setup';

const sandbox = useSandbox();

test('an overlay merges objects, appends to lists, and names a target that is not there', () => {
	const document = { a: { list: [1], 'x/y': { b: 1, c: 2 } } };
	const apply = (target: string, update: unknown) =>
		withOverlay(document, { actions: [{ target, update }] });
	expect(apply("$.a['x/y']", { c: 3, d: { e: 4 } })).toEqual({
		a: { list: [1], 'x/y': { b: 1, c: 3, d: { e: 4 } } },
	});
	expect(apply('$.a.list', { two: 2 })).toMatchObject({ a: { list: [1, { two: 2 }] } });
	expect(() => apply('$.a.b', {})).toThrow('lacks b');
	expect(document).toEqual({ a: { list: [1], 'x/y': { b: 1, c: 2 } } });
});

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
