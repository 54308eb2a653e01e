import type { RecipientKind } from '../../recipients/kind';
import { optionalText } from '../../recipients/kind';
import { rowMaker } from '../../recipients/rowObjects';
import { isGuid } from '../shared/responses';

const OTHER_FIELDS: Readonly<Record<string, string>> = {
	name: 'Name',
	custom1: 'Custom 1',
	custom2: 'Custom 2',
	contactGroupId: 'Contact Group ID',
};

const OTHER_ENTRIES = Object.entries(OTHER_FIELDS);
const newContact = rowMaker();

/** Elements of `contacts` in the create request (interface, "SMS campaign contact"). */
export const contacts: RecipientKind = {
	label: 'Contacts',
	singular: 'Contact',
	name: 'contacts',
	numberName: 'phoneNumber',
	jsonSample: '[\n  { "phoneNumber": "+447700900123", "name": "Ada" }\n]',
	otherFields: OTHER_FIELDS,
	build(phoneNumber, others, reporter) {
		const contact = newContact();
		contact.phoneNumber = phoneNumber;
		for (const [name, label] of OTHER_ENTRIES) {
			const value = optionalText(others[name], label, reporter);
			if (value === undefined) continue;
			if (name === 'contactGroupId' && !isGuid(value)) {
				reporter.report(
					`${label} is not a GUID (${value})`,
					'Write it like 5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10, or leave it empty.',
				);
			}
			contact[name] = value;
		}
		return contact;
	},
};
