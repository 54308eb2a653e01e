import {
	ACCEPTANCE,
	identifierOf,
	isIdentifier,
	RECORD,
} from '../../nodes/MessagingService/transport/responseShape';

test.each([
	'XkqPzRab',
	'c7',
	'7',
	7,
	'b',
	'deadbeef-feed',
	'K0',
	'sent-4711',
	'SMS42',
	'CAMPAIGN-123',
	'OKLAHOMA',
])('%j is an ID', (value) => {
	expect(isIdentifier(value)).toBe(true);
});

test.each([
	...['', '0', '00000000-0000-0000-0000-000000000000', 0, -1, true, null, undefined, {}, []],
	...['OK', 'ok.', 'Success', 'SUCCESS!', 'created', 'Accepted', 'true', 'queued', 'Error', 'null'],
	...['ERROR:14', 'ERR_105', 'FAIL|2', 'Error-103', '-1', 'INSUFFICIENT_CREDIT', 'NoCredit'],
	...['AccountBlocked', 'InvalidSender', 'unauthorized', 'fail-c56a4180'],
	// Each word that a service confirms or complains with.
	...['okay', 'Yes', 'No', 'undefined', 'None', 'false', 'Successful', 'Successfully', 'Succeeded'],
	...['Sent', 'Saved', 'Stored', 'Updated', 'Scheduled', 'Started', 'Submitted', 'Received'],
	...['Processed', 'Processing', 'Pending', 'Done', 'Complete', 'Completed', 'CampaignScheduled'],
	...['MessageSubmitted', 'SmsQueued', 'VOICE_STARTED', 'Errors', 'Exception', 'Fail', 'Failed'],
	...['Failure', 'Invalid', 'Denied', 'Rejected', 'Refused', 'Insufficient', 'NO_BALANCE'],
	...['Forbidden', 'Suspended', 'KeyExpired', 'SenderMissing', 'UnknownNumber', 'AccessDenied'],
	// JSON that ends in the middle.
	...['{"id":', '[{"x":1', '"abc', '5f0e9c10"'],
	...['campaign_created', 'CampaignCreated', 'The campaign was created', 'a b', '<html>', '---'],
])('%j is no ID', (value) => {
	expect(isIdentifier(value)).toBe(false);
});

test.each<[object, boolean]>([
	[{ error: true }, false],
	[{ error: 1 }, false],
	[{ ERROR: 'no credit' }, false],
	[{ errors: 2 }, false],
	[{ errors: { a: ['b'] } }, false],
	[{ success: false }, false],
	[{ error: false }, true],
	[{ error: 0 }, true],
	[{ error: null, errors: [] }, true],
	[{ error: '', errors: {}, success: true }, true],
])('%j is a success: %j', (body, isSuccess) => {
	expect(ACCEPTANCE.matches(body)).toBe(isSuccess);
	expect(RECORD.matches(body)).toBe(isSuccess);
	expect(RECORD.matches({ ...body, id: 7 })).toBe(true);
});

test.each<[unknown, unknown]>([
	['c7', 'c7'],
	[7, 7],
	[{ campaignId: 'c7', id: 'm1', clientId: 1001 }, 'm1'],
	[{ cli_Id: 401, clientId: 1001, optOutLinkId: 3 }, undefined],
	[{ id: null, newId: 'm1' }, 'm1'],
	[{ id: true }, undefined],
	...[
		...['id', 'Id', 'ID', 'newId', 'new_id', 'campaignId', 'campaign_id', 'voiceCampaignId'],
		...['voice_campaign_id', 'VoiceCampaign_Id', 'storageID', 'storage_id'],
	].map((name): [unknown, unknown] => [{ name: 'May', cli_Id: 401, [name]: 'x7' }, 'x7']),
	[true, undefined],
	[null, undefined],
])('the response %j identifies %p', (body, identifier) => {
	expect(identifierOf(body)).toBe(identifier);
});
