/** The runs of policy.mts: `policyRun.ts <recipients> <service URL>`. */
import '../support/quietEngine.cjs';
import type { CredentialValues } from '../support/engine';
import { runAction } from '../support/engine';

const ROUNDS = 15;
const [recipients = '', baseUrl = ''] = process.argv.slice(2);

const ALL_RULES: CredentialValues = {
	sendingPolicy: true,
	allowedCountries: 'GB, US, DE',
	blockedNumberTypes: ['premiumRate', 'voicemail', 'pager'],
	maxRecipients: 1_000_000,
	sendingHoursFrom: '00:00',
	sendingHoursTo: '23:59',
	sendingHoursIn: 'recipient',
};

/** Mobile and fixed lines of several zones, each with as many digits as a number needs. */
const prefixes = ['+44740', '+4915', '+12122', '+44207'];

const items = Array.from({ length: Number(recipients) }, (_, index) => ({
	phone: `${prefixes[index % prefixes.length] ?? ''}${String(index).padStart(index % 4 === 1 ? 9 : index % 4 === 2 ? 6 : 7, '0')}`,
	name: `Name ${String(index)}`,
}));

/** CPU seconds of one campaign. */
async function campaign(policy: CredentialValues): Promise<number> {
	const before = process.cpuUsage();
	const { error } = await runAction({
		credential: { baseUrl, authentication: 'none', ...policy },
		parameters: {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Hello',
			sender: 'Bench',
			contactsSource: 'inputItems',
			phoneNumberField: 'phone',
			additionalFields: { otherFields: { name: 'name' } },
			options: { unusable: 'send', duplicates: 'send' },
		},
		items,
	});
	if (error !== undefined) throw error;
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

const median = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function main(): Promise<void> {
	const contenders: Record<string, { policy: CredentialValues; times: number[] }> = {
		off: { policy: {}, times: [] },
		'all rules': { policy: ALL_RULES, times: [] },
	};
	for (let round = -2; round < ROUNDS; round++) {
		for (const { policy, times } of Object.values(contenders)) {
			const seconds = await campaign(policy);
			if (round >= 0) times.push(seconds);
		}
	}
	const [off = NaN, on = NaN] = Object.values(contenders).map(({ times }) => median(times));
	console.log(
		`${recipients} recipients: policy off ${(off * 1000).toFixed(0)} ms CPU, all rules ${(on * 1000).toFixed(0)} ms: ${(on / off).toFixed(2)} times`,
	);
}

void main();
