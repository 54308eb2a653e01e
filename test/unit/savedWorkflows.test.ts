import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ICredentialType } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import recorded from './support/savedWorkflows.json';

/** What people read; n8n and saved workflows do not depend on it. */
const TEXTS = new Set([
	...['action', 'activationMessage', 'description', 'displayName', 'eventTriggerDescription'],
	...['hint', 'message', 'multipleValueButtonText', 'placeholder', 'subtitle', 'builderHint'],
]);

/** A description without its texts: parameters, their types, defaults, values and conditions. */
function withoutTexts(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutTexts);
	if (typeof value !== 'object' || value === null) return value;
	const entry = value as Record<string, unknown>;
	// A menu's entry has its text in `name`.
	const isMenuEntry = 'value' in entry && 'name' in entry;
	return Object.fromEntries(
		Object.entries(entry)
			.filter(([key]) => !TEXTS.has(key) && !(isMenuEntry && key === 'name'))
			.map(([key, part]) => [key, withoutTexts(part)]),
	);
}

const credentialParts = ({ name, icon, properties, test }: ICredentialType) => ({
	...{ name, icon, properties, test },
});

const current = {
	messagingService: withoutTexts(new MessagingService().description),
	messagingServicePollTrigger: withoutTexts(new MessagingServicePollTrigger().description),
	messagingServiceTrigger: withoutTexts(new MessagingServiceTrigger().description),
	messagingServiceApi: withoutTexts(credentialParts(new MessagingServiceApi())),
};

describe('what saved workflows depend on', () => {
	test.each(Object.keys(current) as (keyof typeof current)[])(
		'%s has the parameters, types, defaults and conditions that are written down',
		(name) => {
			const found: unknown = JSON.parse(JSON.stringify(current[name]));
			try {
				expect(found).toEqual(recorded[name]);
			} catch (error) {
				// Where the change is meant, this is what to put in the place of support/savedWorkflows.json.
				const folder = path.join(process.cwd(), '.local');
				mkdirSync(folder, { recursive: true });
				writeFileSync(
					path.join(folder, 'savedWorkflows.json'),
					JSON.stringify(current, null, '\t'),
				);
				throw error;
			}
		},
	);
});
