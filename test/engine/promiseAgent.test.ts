import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { sendMessage } from '../support/actionSuite';
import { runAction } from '../support/engine';
import { anyBehaviour } from '../support/modelRows';
import type { ModelRequest } from '../support/modelService';
import { modelSuite } from '../support/modelSuite';
import { holds } from '../support/runs';

const { service, credential } = modelSuite();

const send = {
	...sendMessage,
	phoneNumber: '={{ $json.phone }}',
	message: '={{ $json.text }}',
};

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
				service.reset();
				let requests = 0;
				service.decide = () => behaviours[requests++ % behaviours.length] ?? 'accept';
				const { run } = await runAction({
					credential,
					parameters: send,
					// The items of a run are sent simultaneously, those of the next one after them.
					items,
					loops,
					settings: { type: 'messagingServiceTool' },
				});
				const accepted = service.accepted.map(keyOfRequest);
				expect(new Set(accepted).size).toBe(accepted.length);
				const tasks = run.data.resultData.runData['Messaging Service'] ?? [];
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
