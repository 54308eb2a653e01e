import { readFileSync } from 'node:fs';
import axios from 'axios';
import { parse } from 'yaml';
import { useSandbox } from './setup';

const sandbox = useSandbox();

/** Every endpoint of the interface, with the operations of openapi.yaml that answer it. */
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

test('openapi.yaml has the operations of the interface, and no others', () => {
	const { paths } = parse(readFileSync('sandbox/openapi.yaml', 'utf8')) as {
		paths: Record<string, Operations>;
	};
	const found = Object.values(paths)
		.flatMap((item) => ['get', 'post', 'put', 'patch', 'delete'].map((method) => item[method]))
		.flatMap((operation) => [operation?.operationId, operation?.['x-operation-without-body']])
		.filter((id) => id !== undefined);
	expect(found.sort()).toEqual(Object.values(endpoints).flat().sort());
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
])('GET %s answers %d', async (path, expected) => {
	expect(await status('GET', path)).toBe(expected);
});

test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])('%s answers 404', async (method) => {
	expect(await status(method, '/api/Campaigns')).toBe(404);
});

test('the service can live below another path', async () => {
	await sandbox().settings({ conventions: { basePath: '/gateway/v1' } });
	expect(await status('GET', '/gateway/v1/api/Campaigns')).toBe(200);
	expect(await status('GET', '/gateway/v1//api/PhoneNumberStorageItem/10/1')).toBe(200);
	expect(await status('GET', '/api/Campaigns')).toBe(404);
	expect(await status('GET', '/')).toBe(200);
});
