import { readFileSync } from 'node:fs';
import axios from 'axios';
import { parse } from 'yaml';
import { withOverlay, type Overlay } from '../../sandbox/service/overlay';
import { useSandbox } from './setup';

const sandbox = useSandbox();

/** Every endpoint of the interface, with the operations of openapi.yaml that handle it. */
const endpoints: Record<string, string[]> = {
	'GET /api/Campaigns': ['listSmsCampaigns'],
	'GET /api/Campaigns/:Id': ['getSmsCampaign'],
	'GET /api/Campaigns/:Id/Contacts': ['listSmsCampaignContacts'],
	'POST /api/Campaigns': ['createSmsCampaign'],
	'POST /api/campaigns/:ignoreInvalidPhoneNumbers': [
		'createSmsCampaignIgnoringInvalidNumbers',
		'createSmsCampaignRejectingInvalidNumbers',
	],
	'POST /api/Campaigns/:id with a body': ['updateSmsCampaign'],
	'POST /api/Campaigns/:Id without a body': ['postSmsCampaignById'],
	'GET /api/SMSMessages': ['listSmsMessages'],
	'GET /api/SMSMessages:Id': ['getSmsMessage', 'getSmsMessageWithSlash'],
	'POST /api/SMSMessages': ['sendSmsMessage'],
	'GET /api/campaigns/voice': ['listAllVoiceCampaigns'],
	'GET /api/campaigns/voice/p': ['listVoiceCampaigns'],
	'GET /api/campaigns/voice/:id': ['getVoiceCampaign'],
	'GET /api/campaigns/voice/:id/phonenumbers': ['listVoiceCampaignPhoneNumbers'],
	'GET /api/campaigns/voice/:id/phonenumbers/:pageNumber': ['listVoiceCampaignPhoneNumbersByPage'],
	'GET /api/campaigns/voice/:id/phonenumbers/:pageSize/:pageNumber': [
		'listVoiceCampaignPhoneNumbersBySize',
	],
	'POST /api/campaigns/voice': ['createVoiceCampaign'],
	'POST /api/campaigns/voice/:ignoreInvalidPhoneNumbers': [
		'createVoiceCampaignIgnoringInvalidNumbers',
		'createVoiceCampaignRejectingInvalidNumbers',
	],
	'POST /api/Campaign/Voice/': [
		'createVoiceCampaignForClient',
		'createVoiceCampaignForClientInPath',
	],
	'POST /api/PhoneNumberStorageItem': ['saveStoredPhoneNumber'],
	'GET /api/PhoneNumberStorageItem/:storageId': ['getStoredPhoneNumber'],
	'GET /api/PhoneNumberStorageItem/:pageSize/:pageIndex': ['listStoredPhoneNumbers'],
	'POST /api/PhoneNumberStorageItem/:storageId': ['postStoredPhoneNumberById'],
	'POST /api/integrations/UpdateWebHook?url={url}': ['updateWebHook', 'updateWebHookInPath'],
};

type Operations = Record<
	string,
	{ operationId?: string; 'x-operation-without-body'?: string } | undefined
>;

const read = (name: string): unknown =>
	parse(readFileSync(`sandbox/${name}`, 'utf8'), { maxAliasCount: -1 });

const idsOf = ({ paths }: { paths: Record<string, Operations> }): string[] =>
	Object.values(paths)
		.flatMap((item) => ['get', 'post', 'put', 'patch', 'delete'].map((method) => item[method]))
		.flatMap((operation) => [operation?.operationId, operation?.['x-operation-without-body']])
		.filter((id) => id !== undefined);

const interfaceOnly = read('openapi.yaml') as { paths: Record<string, Operations> };
const sandboxOnly = [
	'createVoiceCampaignForClientInPath',
	'getSmsMessageWithSlash',
	'postSmsCampaignById',
	'updateWebHookInPath',
];

test('openapi.yaml has the operations of the interface, and no others', () => {
	const ids = Object.values(endpoints).flat();
	const ofInterface = ids.filter((id) => !sandboxOnly.includes(id));
	expect(idsOf(interfaceOnly).sort()).toEqual(ofInterface.sort());
	expect(readFileSync('sandbox/openapi.yaml', 'utf8')).not.toMatch(/\bx-(?!enum-descriptions)/);
});

test('the overlay adds the operations that only the sandbox has', () => {
	const whole = withOverlay(interfaceOnly, read('openapi.sandbox.yaml') as Overlay);
	expect(idsOf(whole as typeof interfaceOnly).sort()).toEqual(
		Object.values(endpoints).flat().sort(),
	);
});

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
