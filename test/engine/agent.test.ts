import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	actionSuite,
	byId,
	createCampaign,
	sendMessage,
	type ActionOptions,
	type ActionParameters,
	type ActionResult,
} from '../support/actionSuite';
import { runAction } from '../support/engine';
import { anyBehaviour } from '../support/modelRows';
import type { ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { holds } from '../support/runs';
import { withSimultaneousCalls } from '../support/toolCalls';
import { voiceParameters } from '../support/voiceCampaign';
import type { FaultEffect } from '../../sandbox/service/faults.ts';

const { credential, run, sandbox } = actionSuite();
const model = modelSuite();

const send = {
	...sendMessage,
	phoneNumber: '={{ $json.phone }}',
	message: '={{ $json.text }}',
};

/** As n8n runs the node when an agent calls it: of the tool's type, with one item each time. */
const asTool: ActionOptions = { settings: { type: 'messagingServiceTool' } };

const message = { phone: '+447400123456', text: 'Your table is ready' };

const accepted = async () => (await sandbox().requests({ limit: 1000 })).total;

/** The items of all runs of the node. */
function outputs({ run: { data } }: ActionResult): IDataObject[] {
	const tasks = data.resultData.runData['Messaging Service'] ?? [];
	return tasks
		.flatMap((task) => (task.data?.main ?? []).flatMap((items) => items ?? []))
		.map(({ json }) => json);
}

describe('an agent that calls the tool', () => {
	it.each([
		['one after the other', { items: [message], loops: 100 }],
		['simultaneously', { items: Array.from({ length: 100 }, () => message) }],
	])('100 times with the same arguments, %s, sends one message', async (_, options) => {
		const result = await run(send, { ...asTool, ...options });
		expect(result.error).toBeUndefined();
		expect(await accepted()).toBe(1);
		const answers = outputs(result);
		expect(answers).toHaveLength(100);
		const first = answers.find(({ alreadySent }) => alreadySent !== true);
		expect(first).toMatchObject({ newId: expect.any(String), sent: 'yes' });
		const others = answers.filter((answer) => answer !== first);
		expect(others).toHaveLength(99);
		for (const answer of others) {
			expect(answer).toMatchObject({ newId: first?.newId, sent: 'yes', alreadySent: true });
		}
	});

	it.each([
		[['+447400123456', '+44 7400 123456', '00447400123456']],
		[['+5511987654321', '+55 11 8765-4321']],
	])('writes the number in another way: the message is still the same: %s', async (spellings) => {
		const items = spellings.map((phone) => ({ ...message, phone }));
		await run(send, { ...asTool, items });
		expect(await accepted()).toBe(1);
	});

	it.each([
		['one message', {}, [message, message], ['yes', 'yes']],
		[
			'no more people than Max Recipients says',
			{ sendingPolicy: true, maxRecipients: 1 },
			[message, { ...message, phone: '+447400123457' }],
			['no', 'yes'],
		],
	])(
		'in executions of the node that run at the same time sends %s',
		async (_, values, items, states) => {
			const result = await withSimultaneousCalls(
				async () => await run(send, { ...asTool, items, credential: credential(values) }),
			);
			const answers = outputs(result);
			expect(answers.map(({ sent }) => String(sent)).sort()).toEqual(states);
			expect(await accepted()).toBe(1);
		},
	);

	it('writes the text with a space behind it: the message and the campaign are still the same', async () => {
		const texts = ['Hi', 'Hi ', ' Hi'];
		const items = texts.map((text) => ({ ...message, text }));
		await run(send, { ...asTool, items });
		expect(await accepted()).toBe(1);
		const campaign = {
			...createCampaign,
			contactsSource: 'json',
			contactsJson: JSON.stringify([message.phone]),
			message: '={{ $json.text }}',
		};
		await run(campaign, { ...asTool, items });
		expect(await accepted()).toBe(2);
	});

	it.each([
		['as a campaign', {}],
		[
			'as a campaign with Number Check by the Service',
			{ additionalFields: { invalidPhoneNumbers: 'ignore' } },
		],
	])('sends a text to somebody %s who has got it as a message: it is the same', async (_, more) => {
		const { phone, text } = message;
		const result = await run(
			{
				...{ ...createCampaign, message: text, sender: sendMessage.sender },
				...{ contactsSource: 'json', contactsJson: JSON.stringify([phone]), ...more },
			},
			{ ...asTool, items: [message], first: send },
		);
		expect(result.error).toBeUndefined();
		expect(await accepted()).toBe(1);
		expect(outputs(result)).toMatchObject([{ sent: 'yes', alreadySent: true }]);
	});

	it('writes another start and other names: the campaign is still the same', async () => {
		await sandbox().fault({ fault: { kind: 'status', when: 'after', status: 502 } });
		const campaign = {
			...createCampaign,
			startDateTime: '={{ $json.start }}',
			contactsSource: 'json',
			contactsJson: '={{ $json.contacts }}',
		};
		const [ada, bob] = [message.phone, '+447400123457'];
		const items = [
			{ start: '2098-05-14T11:00:00Z', contacts: [{ phoneNumber: ada, name: 'Ada' }, bob] },
			{ start: '2098-05-14T11:01:00Z', contacts: [bob, ada] },
		];
		const result = await run(campaign, { ...asTool, items });
		expect(await accepted()).toBe(1);
		expect(outputs(result).map(({ sent }) => sent)).toEqual(['possibly', 'possibly']);
	});

	it.each([
		['another sender', { sender: 'Office' }, {}],
		['another client', {}, { clientId: '1002' }],
		['another key', {}, { username: 'another one' }],
	])('may send the same text with %s: it is another message', async (_, fields, values) => {
		const result = await run(sendMessage, {
			...asTool,
			first: { ...sendMessage, ...fields },
			firstCredential: credential(values),
		});
		expect(result.error).toBeUndefined();
		expect(await accepted()).toBe(2);
	});

	it('may create the same voice campaign for another client, but not one that was possibly created', async () => {
		await sandbox().fault({ times: 'always', fault: { kind: 'status', status: 502 } });
		const voice = {
			...{ ...voiceParameters, operation: 'createForClient', phoneNumbersSource: 'json' },
			phoneNumbersJson: JSON.stringify([{ number: message.phone }]),
			additionalFields: { clientId: '={{ $json.client }}' },
		};
		const items = ['1001', '1002', '1001'].map((client) => ({ client }));
		const { requests } = await run(voice, { ...asTool, items });
		expect(requests.map(({ url }) => url).sort()).toEqual([
			...['/api/Campaign/Voice/?clientId=1001', '/api/Campaign/Voice/?clientId=1002'],
		]);
	});

	it('writes the ID of a campaign in capitals: it is still the same', async () => {
		model.service.reset();
		await runAction({
			credential: model.credential,
			parameters: {
				...{ resource: 'smsCampaign', operation: 'postById' },
				campaignId: byId('={{ $json.id }}'),
			},
			items: [{ id: 'c56a4180-65aa' }, { id: 'C56A4180-65AA' }],
			...asTool,
		});
		expect(model.service.accepted).toHaveLength(1);
	});

	it('may try again what the service refused', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 400 } });
		const result = await run(send, {
			...asTool,
			onError: 'continueRegularOutput',
			items: [message],
			loops: 2,
		});
		expect(outputs(result).map(({ sent, alreadySent }) => ({ sent, alreadySent }))).toEqual([
			{ sent: 'no' },
			{ sent: 'yes' },
		]);
	});

	const campaign = {
		...{ ...createCampaign, message: '={{ $json.text }}', contactsSource: 'json' },
		contactsJson: '={{ [$json.phone] }}',
	};
	it.each<[string, string, ActionParameters, FaultEffect, number | undefined]>([
		['message', 'status 500', send, { kind: 'status', when: 'after', status: 500 }, 500],
		['message', 'status 502', send, { kind: 'status', when: 'after', status: 502 }, 502],
		['message', 'no response', send, { kind: 'cutAfterAccept' }, undefined],
		['campaign', 'status 500', campaign, { kind: 'status', when: 'after', status: 500 }, 500],
		['campaign', 'no response', campaign, { kind: 'cutAfterAccept' }, undefined],
	])(
		'repeats a %s that was possibly sent (%s): it is not sent again, and the answer says why',
		async (_, _ended, parameters, fault, status) => {
			await sandbox().fault({ fault });
			const result = await run(parameters, { ...asTool, items: [message], loops: 2 });
			expect(result.error).toBeUndefined();
			expect(await accepted()).toBe(1);
			const [first, again] = outputs(result);
			expect(first).toMatchObject({ sent: 'possibly' });
			expect(again).toMatchObject({ sent: 'possibly', error: 'Possibly sent before' });
			expect([first?.httpStatus, again?.httpStatus]).toEqual([status, status]);
			const told = /responded with status (\d+)/.exec(String(again?.description))?.[1];
			expect(told).toBe(status?.toString());
		},
	);

	it('leaves no phone number and no response in the data of the execution', async () => {
		const contacts = JSON.stringify([{ number: message.phone, name: 'Ada' }]);
		const voice = {
			...voiceParameters,
			operation: 'create',
			phoneNumbersSource: 'json',
			phoneNumbersJson: contacts,
		};
		const { run: made, error } = await run(voice, { ...asTool, items: [{}] });
		expect(error).toBeUndefined();
		const context = JSON.stringify(made.data.executionData?.contextData);
		expect(context).toContain('sentByAgent');
		expect(context).not.toContain('Ada');
		expect(context).not.toContain(message.phone.slice(1));
		expect(context).not.toContain('phoneNumbers');
	});

	it('reaches as many people in each execution as Max Recipients says, and no more in two calls of one', async () => {
		const others = ['+447400123456', '+447400123457'].map((phone) => ({ ...message, phone }));
		const limited = {
			...asTool,
			credential: credential({ sendingPolicy: true, maxRecipients: 1 }),
		};
		await run(send, { ...limited, items: others });
		expect(await accepted()).toBe(1);
		// Over MCP, each call is an execution of its own.
		for (const [index, item] of others.entries()) {
			await run(send, { ...limited, items: [item] });
			expect(await accepted()).toBe(2 + index);
		}
	});
});

describe('a workflow without an agent', () => {
	it('sends what its rows say, also twice', async () => {
		await run(send, { items: [message, message] });
		expect(await accepted()).toBe(2);
	});

	it('does not count what the service refused', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 400 } });
		const result = await run(send, {
			items: [message],
			loops: 2,
			onError: 'continueRegularOutput',
			credential: credential({ sendingPolicy: true, maxRecipients: 1 }),
		});
		expect(outputs(result).map(({ sent }) => sent)).toEqual(['no', 'yes']);
	});
});

/** What an agent asks for: one of few messages, the number in one of its spellings. */
const asked = fc.record({
	phone: fc.constantFrom('+447400123456', '00447400123456', '+44 7400 123457'),
	text: fc.constantFrom('Your table is ready', 'Sorry'),
});

const keyOf = (phone: unknown, text: unknown) =>
	`${String(phone).replace(/^00|\D/g, '')} ${String(text)}`;
const keyOfRequest = ({ body }: ModelRequest) => keyOf(body.phoneNumber, body.message);

test('an agent sends an identical message once per execution, and reads truly whether it was sent', async () => {
	await holds(
		fc.asyncProperty(
			fc.array(asked, { minLength: 1, maxLength: 6 }),
			fc.integer({ min: 1, max: 3 }),
			fc.array(anyBehaviour(2, 3), { minLength: 8, maxLength: 8 }),
			async (items, loops, behaviours) => {
				model.service.reset();
				let requests = 0;
				model.service.decide = () => behaviours[requests++ % behaviours.length] ?? 'accept';
				const { run: made } = await runAction({
					credential: model.credential,
					parameters: send,
					// The items of a run are sent simultaneously, those of the next one after them.
					items,
					loops,
					...asTool,
				});
				const accepted = model.service.accepted.map(keyOfRequest);
				expect(new Set(accepted).size).toBe(accepted.length);
				const tasks = made.data.resultData.runData['Messaging Service'] ?? [];
				expect(tasks).toHaveLength(loops);
				const outputs = tasks.flatMap(({ data }): IDataObject[] =>
					(data?.main?.[0] ?? []).map(({ json }) => json),
				);
				expect(outputs).toHaveLength(items.length * loops);
				for (const key of new Set(items.map(({ phone, text }) => keyOf(phone, text)))) {
					const states = outputs.flatMap(({ sent }, index) => {
						const { phone, text } = items[index % items.length] ?? {};
						return keyOf(phone, text) === key ? [String(sent)] : [];
					});
					// It is tried again as long as it was certainly not sent, and then no more.
					expect(states.join(' ')).toMatch(/^(no ?)*((yes ?)*|(possibly ?)*)$/);
					if (states.includes('yes')) expect(accepted).toContain(key);
					if (accepted.includes(key)) expect(states.at(-1)).not.toBe('no');
				}
			},
		),
		15,
	);
}, 120_000);
