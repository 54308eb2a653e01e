import type { INodeProperties } from 'n8n-workflow';
import { MessagingServiceApi } from '../../../credentials/MessagingServiceApi.credentials';
import type { CredentialSummary, N8nClient } from '../../../host/n8nClient.ts';
import { credentialType } from '../../../host/workflows.ts';
import { login } from '../../../sandbox/service/tokens.ts';
import { bodies, loggedIn, sandbox } from '../support/host.ts';
import { actionName, runAction } from '../support/workflows.ts';

type Finding = Record<'question' | 'result' | 'found' | 'setting' | 'value' | 'advice', string>;

/** The field of the credential with a name that a finding gives. */
const fieldNamed = (displayName: string) =>
	new MessagingServiceApi().properties.find(
		(field: INodeProperties) => field.displayName === displayName,
	)?.name ?? '';

/** What the operator of a service answers, by a word of the question. */
const OPERATOR: Record<string, Record<string, unknown>> = {
	'kind of authentication': {
		...{ authentication: 'accessToken', tokenUrl: '/token', loginWith: 'json' },
		loginJson: JSON.stringify({ username: login.username, password: login.password }),
	},
	'time zone': { serviceTimeZone: 'Asia/Tokyo' },
};

describe('a new account, of which only the address is known', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	const data: Record<string, unknown> = {};
	/** What a person does, one step after the other. */
	const steps: string[] = [];

	const enter = async (what: string, values: Record<string, unknown>) => {
		Object.assign(data, values);
		credential = await n8n.updateCredential(credential, data);
		steps.push(`enter ${what}`);
	};
	const test = async () => {
		steps.push('test the credential');
		return await n8n.testCredential(credential, data);
	};
	const execute = async (parameters: Record<string, unknown>) => {
		const execution = await runAction(n8n, 'New Account', credential, [{}], parameters);
		steps.push(`execute ${String(parameters.operation)}`);
		if (execution.error) throw new Error(String(execution.error.description));
		return execution.items(actionName).map(({ json }) => json);
	};

	/** Checks, and does what the findings say, until nothing is left to do. */
	const checkAndEnter = async (): Promise<Finding[]> => {
		for (;;) {
			const findings = (await execute({ resource: 'service', operation: 'check' })) as Finding[];
			const isUntried = ({ found }: Finding) => found.includes('not tried');
			const open = findings.filter((finding) => finding.result !== 'ok' && !isUntried(finding));
			const values = Object.fromEntries(
				open.flatMap(({ result, setting, value, advice }) => {
					if (result === 'set') return [[fieldNamed(setting), value]];
					const word = Object.keys(OPERATOR).find((each) => advice.includes(each));
					return Object.entries(OPERATOR[word ?? ''] ?? {});
				}),
			);
			const isNew = Object.entries(values).some(([name, value]) => data[name] !== value);
			if (!isNew) return findings;
			await enter(Object.keys(values).join(', '), { serviceConventions: true, ...values });
		}
	};

	it('comes to its first text, and to a check without findings', async () => {
		n8n = await loggedIn();
		await sandbox().settings({
			authentication: { tokenOnly: true },
			conventions: {
				...{ pageIndexName: 'page', pageSizeName: 'limit', firstPageIndex: 0 },
				...{ clientIdPlace: 'path', timeZone: 'Asia/Tokyo', listOrder: 'newestFirst' },
			},
		});
		const started = Date.now();
		Object.assign(data, {
			...{ baseUrl: sandbox().url, authentication: 'header' },
			...{ headerName: 'X-Api-Key', headerSecret: 'a-guess' },
		});
		credential = await n8n.createCredential('New Account', credentialType, data);
		steps.push('enter address and key');
		expect((await test()).message).toContain('The service did not accept the authentication');
		await checkAndEnter();
		expect(await test()).toMatchObject({ status: 'OK' });
		const send = { resource: 'smsMessage', operation: 'send', sender: 'Shop' };
		const toMyself = { ...send, phoneNumber: '+447700900123', message: 'Hello' };
		expect(await execute(toMyself)).toMatchObject([{ sent: 'yes' }]);
		const untilFirst = steps.length;
		expect(await execute({ ...toMyself, message: 'Hello again' })).toMatchObject([{ sent: 'yes' }]);
		const last = await checkAndEnter();
		const open = last.filter(({ result, found }) => result !== 'ok' && !/not tried/.test(found));
		expect(open).toEqual([]);
		expect(data).toMatchObject({
			...{ pageIndexParameter: 'page', pageSizeParameter: 'limit' },
			serviceTimeZone: 'Asia/Tokyo',
		});
		expect(await bodies()).toHaveLength(2);
		// The place of the client ID shows only where one is sent.
		await enter('Client ID', { clientId: '1001' });
		const url = { resource: 'webhook', operation: 'set', webHookUrl: 'https://n8n.example.com/w' };
		await expect(execute(url)).rejects.toThrow('Service Conventions, Send Client ID In');
		await enter('Send Client ID In', { clientIdPlace: 'path' });
		expect(await execute(url)).toMatchObject([{ success: true }]);
		const seconds = Math.round((Date.now() - started) / 1000);
		console.log(
			`${String(untilFirst)} steps to the first text, ${String(steps.length)} in all, ${String(seconds)} s of them n8n's:\n${steps.join('\n')}`,
		);
	});
});
