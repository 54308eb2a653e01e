import { contacts } from '../../nodes/MessagingService/resources/smsCampaign/contacts';

const GUID = '5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10';

function build(others: Parameters<typeof contacts.build>[1]) {
	const problems: string[] = [];
	const contact = contacts.build('+447700900123', others, (problem) => problems.push(problem));
	return { contact, problems };
}

test('a contact has the fields that are set, as texts', () => {
	expect(
		build({ name: 'Ada', custom1: 7, custom2: '', contactGroupId: null, city: 'Leeds' }),
	).toEqual({ contact: { phoneNumber: '+447700900123', name: 'Ada', custom1: '7' }, problems: [] });
});

test.each([GUID, GUID.toUpperCase()])('%s is the ID of a contact group', (contactGroupId) => {
	expect(build({ contactGroupId })).toEqual({
		contact: { phoneNumber: '+447700900123', contactGroupId },
		problems: [],
	});
});

test.each([
	...['x', `${GUID}0`, `0${GUID}`, ` ${GUID}`, GUID.replaceAll('-', ''), GUID.slice(1)],
	...[GUID.replace('-4a55', ''), GUID.replace('5f', '5g'), GUID.slice(0, -1), `{${GUID}}`],
])('%j is none', (contactGroupId) => {
	expect(build({ contactGroupId }).problems).toEqual([
		`Contact Group ID is not a GUID (${contactGroupId})`,
	]);
});

test('a field that holds a list or an object is named', () => {
	expect(build({ name: ['Ada'], custom2: {} })).toEqual({
		contact: { phoneNumber: '+447700900123' },
		problems: ['Name is neither text nor a number', 'Custom 2 is neither text nor a number'],
	});
});
