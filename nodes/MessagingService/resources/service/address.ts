import type { ObservingClient } from '../../transport/request';
import { failed, ok, set, type Finding } from './finding';
import { listIn, shapeOf } from './lists';
import type { Look, Probe } from './probe';

const ADDRESS = "Is the address the service's?";
const LOGIN = 'Does the login hold?';

const PATH = '/api/Campaigns';

/** Statuses of a service that does not let the account in. */
const REFUSALS = ['401', '403'];

/** Whether the service is there and lets the account in, and the list of SMS campaigns that showed it. */
export interface Access {
	findings: Finding[];
	/** Whether the other questions can be asked. */
	isOpen: boolean;
	campaigns: Look;
}

/** Asks for the list that every account has. */
export async function readAccess(probe: Probe): Promise<Access> {
	const campaigns = await probe.look(PATH);
	const { status, problem } = campaigns;
	if (listIn('campaigns', PATH, campaigns) !== undefined) {
		const findings = [ok(ADDRESS, 'a list of SMS campaigns'), ok(LOGIN, 'the list was given out')];
		return { findings, isOpen: true, campaigns };
	}
	if (status !== undefined && REFUSALS.includes(status)) {
		return {
			findings: [
				ok(ADDRESS, `status ${status}, as of a service that needs a login`),
				refusedLogin(status),
			],
			isOpen: false,
			campaigns,
		};
	}
	if (problem !== undefined && /login|log in/i.test(problem)) {
		const advice = 'Check the fields of the login in the credential, and the Token URL.';
		const findings = [
			failed(ADDRESS, 'not tried without a login', 'Fix the login first.'),
			failed(LOGIN, problem, advice, 'Log In With'),
		];
		return { findings, isOpen: false, campaigns };
	}
	const address = await wrongAddress(probe, campaigns);
	const login = failed(LOGIN, 'not tried', 'Fix the address first.');
	return { findings: [address, login], isOpen: false, campaigns };
}

function refusedLogin(status: string): Finding {
	return failed(
		LOGIN,
		`status ${status}`,
		'Check the kind of authentication and its secret in the credential, or ask the operator which one the service wants.',
		'Authentication',
	);
}

/** What is wrong with the address: that it has the `/api` which the paths begin with, or something else. */
async function wrongAddress(probe: Probe, campaigns: Look): Promise<Finding> {
	const found = shapeOf(campaigns);
	const shorter = shorterAddress(probe.client);
	if (shorter !== undefined && campaigns.status === '404') {
		const short = await probe.look('/Campaigns');
		if (listIn('campaigns', PATH, short) !== undefined || REFUSALS.includes(short.status ?? '')) {
			const advice = 'Enter it in the credential, without /api at the end.';
			return set(ADDRESS, found, { setting: 'Base URL', value: shorter, advice });
		}
	}
	return failed(
		ADDRESS,
		found,
		'Check the Base URL in the credential: the service has /api/Campaigns below it.',
		'Base URL',
	);
}

function shorterAddress({ settings }: ObservingClient): string | undefined {
	const shorter = settings.baseUrl.replace(/\/api$/i, '');
	return shorter === settings.baseUrl ? undefined : shorter;
}
