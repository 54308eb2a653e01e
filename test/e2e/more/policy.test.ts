import { withExample } from '../support/examples.ts';
import { itIfRunnable, uploaded } from '../support/exampleSuite.ts';
import { bodies, loggedIn } from '../support/host.ts';
import { createCredential } from '../support/workflows.ts';

/** A recipient, and the zone whose clock counts for it. */
interface Recipient {
	phone: string;
	timeZone: string;
}

const inLondon: Recipient = { phone: '+447700900123', timeZone: 'Europe/London' };
const inNewYork: Recipient = { phone: '+12125550123', timeZone: 'America/New_York' };

/** The time of day there, as the policy has it. */
const clockOf = ({ timeZone }: Recipient, moment: number) =>
	new Intl.DateTimeFormat('en-GB', {
		...{ timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
	}).format(moment);

describe('the sending policy in n8n, over time', () => {
	const file = 'send-within-sending-hours.json';
	itIfRunnable(file)(
		'lets a message wait until the sending hours begin, as the example does',
		async () => {
			const n8n = await loggedIn();
			// Of a recipient whose day does not end while the test runs.
			const isLate = clockOf(inLondon, Date.now()) >= '23:50';
			const recipient = isLate ? inNewYork : inLondon;
			// A whole minute lies between, so that the first try is too early.
			const sendingHoursFrom = clockOf(recipient, Date.now() + 120_000);
			const policy = { sendingPolicy: true, sendingHoursFrom };
			const credential = await createCredential(n8n, 'Policy', policy);
			const execution = await withExample(
				n8n,
				file,
				credential,
				async ({ id }) => await n8n.runWorkflow(id, 'Upload a List', 240_000),
				uploaded([{ phone: recipient.phone, name: 'Ada' }]),
			);
			expect(execution.status).toBe('success');
			expect(execution.runData['Send SMS']).toHaveLength(2);
			expect(await bodies()).toMatchObject([{ phoneNumber: recipient.phone }]);
		},
	);
});
