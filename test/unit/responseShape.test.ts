import {
	messageGuid,
	undocumentedOutput,
} from '../../nodes/MessagingService/resources/shared/responses';
import {
	ACCEPTANCE,
	contentOf,
	identifierOf,
	isIdentifier,
	PAGE,
	RECORD,
	toPage,
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
	[{ isSuccess: false }, false],
	[{ status: 'error' }, false],
	[{ Message: 'An error has occurred.' }, false],
	[{ Success: 'False' }, false],
	[{ success: 0 }, false],
	[{ ok: false }, false],
	[{ result: 'failed' }, false],
	[{ errorCode: 12, errorMessage: 'No credit' }, false],
	[{ error: { code: 12 } }, false],
	[{ title: 'Bad Request', status: 400 }, false],
	[{ detail: 'Not found.' }, false],
	[{ errorCode: '0', errorMessage: 'NO_ERROR', success: 'true' }, true],
	[{ error: { code: 0, message: 'OK' } }, true],
	[{ error: 'none', result: 'OK' }, true],
	[{ errors: { count: 0 } }, true],
	[{ success: true, message: 'Removed from the list of rejected numbers' }, true],
	[{ status: 'stored', message: 'No errors' }, true],
	[{ error: false }, true],
	[{ error: 0 }, true],
	[{ error: null, errors: [] }, true],
	[{ error: '', errors: {}, success: true }, true],
])('%j is a success: %j', (body, isSuccess) => {
	expect(ACCEPTANCE.matches(body)).toBe(isSuccess);
	expect(RECORD.matches(body)).toBe(isSuccess);
	expect(RECORD.matches({ ...body, id: 7 })).toBe(true);
});

test('the message of a campaign may be about something that failed', () => {
	expect(ACCEPTANCE.matches({ id: 'c7', message: 'Delivery failed? Call us.' })).toBe(true);
	expect(ACCEPTANCE.matches({ sender: 'Shop', message: 'Delivery failed? Call us.' })).toBe(true);
	expect(ACCEPTANCE.matches({ id: 0, message: 'Delivery failed' })).toBe(false);
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

test.each([
	['{"a":1}', { a: 1 }],
	['null', null],
	[' "a b" ', 'a b'],
	[' OK\n', 'OK'],
	['{"a":', '{"a":'],
	[' \n', undefined],
	['', undefined],
])('the content of the body %j is %p', (body, content) => {
	expect(contentOf(body)).toEqual(content);
});

test.each<[unknown, boolean]>([
	['OK', true],
	['Stored, no errors', true],
	['Error: 0', true],
	['Error: none', true],
	['Error: false', true],
	['Errors: 0, stored: 1', true],
	['1 record updated, 0 failed', true],
	['Updated: 1, failed: 0', true],
	['error_code:0 message:OK', true],
	['ErrorCode=0', true],
	['Number of invalid contacts: 0', true],
	['errors: []', true],
	['Stored without any errors', true],
	['Not an error', true],
	['Blocked number stored', true],
	['Expired link removed', true],
	['Unknown number added', true],
	['Balance: 12 credits', true],
	['False', false],
	['ERROR 5', false],
	['ERR_105', false],
	['status=error', false],
	['insufficient_credit', false],
	['InvalidNumber', false],
	['An error has occurred.', false],
	['Internal Server Error', false],
	['401 Unauthorized', false],
	['Unauthorised', false],
	['Access denied', false],
	['Number not found', false],
	['Updated: 0, failed: 3', false],
	['updated=0;failed=3', false],
	['10 errors', false],
	['Error: no credit', false],
	['Error: none of the numbers could be stored', false],
	['error 0x80070005', false],
	['ERR105', false],
	['Could not save', false],
	["Couldn't save", false],
	['Cannot update a campaign that has started', false],
	['Unable to store the number', false],
	['Not allowed', false],
	['The campaign does not exist', false],
	['Not enough credit', false],
	['Unsuccessful', false],
	['Bad request', false],
	['Stored with 3 failures', false],
	['Stored, but 2 numbers were rejected', false],
	['<html>', false],
	[' <?xml?>', false],
	[undefined, true],
	[null, true],
	[true, true],
	[false, false],
	[0, true],
	[[], true],
	[[false], true],
])('the response %p to a POST is a success: %p', (body, isSuccess) => {
	expect(ACCEPTANCE.matches(body)).toBe(isSuccess);
});

test.each<[unknown, boolean]>([
	[{ items: [] }, true],
	[{ items: [{}] }, true],
	[{ items: [1] }, false],
	[{ items: null, totalRecords: 0 }, true],
	[{ items: null, totalRecords: '0' }, true],
	[{ items: null, totalRecords: 1 }, false],
	[{ items: null, totalRecords: null }, false],
	[{ items: null, totalRecords: '' }, false],
	[{ items: null }, false],
	[{}, false],
	[[], false],
	['items', false],
])('%j is a page of a list: %p', (body, isPage) => {
	expect(PAGE.matches(body)).toBe(isPage);
});

test.each([
	[
		{ pageIndex: '2', totalPages: '3', totalRecords: '5', items: [{ id: 1 }] },
		{ pageIndex: 2, totalPages: 3, totalRecords: 5, items: [{ id: 1 }] },
	],
	// Totals that the page contradicts.
	[{ totalPages: 1, totalRecords: 0, items: [{ id: 1 }] }, { items: [{ id: 1 }] }],
	[
		{ totalPages: 0, totalRecords: 1, items: [{ id: 1 }] },
		{ totalRecords: 1, items: [{ id: 1 }] },
	],
	[
		{ totalPages: 0, totalRecords: 0, items: [] },
		{ totalPages: 0, totalRecords: 0, items: [] },
	],
	[{ pageIndex: null, totalPages: '', totalRecords: 'many', items: null }, { items: [] }],
])('the envelope %j is the page %j', (envelope, page) => {
	expect(toPage(envelope as never)).toEqual(page);
});

test.each<[unknown, boolean]>([
	['5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10', true],
	['5F0E2B1C-7A3D-4A55-9A7E-2F6F6A1D9C10', true],
	['00000000-0000-0000-0000-000000000000', false],
	...['XkqPzRab', '', 7, null, { id: '5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10' }].map(
		(body): [unknown, boolean] => [body, false],
	),
])('%j is the ID of a message that was sent: %j', (body, isSent) => {
	expect(messageGuid.matches(body)).toBe(isSent);
});

test.each<[unknown, object]>([
	[{ a: 1 }, { a: 1 }],
	...[{}, undefined, null, ''].map((nothing): [unknown, object] => [
		nothing,
		{ id: 'c7', success: true },
	]),
	...[[], ['a'], 'OK', 0, false].map((response): [unknown, object] => [
		response,
		{ id: 'c7', response },
	]),
])('the undocumented response %j becomes %j', (response, output) => {
	expect(undocumentedOutput(response, { id: 'c7' })).toEqual(output);
});
