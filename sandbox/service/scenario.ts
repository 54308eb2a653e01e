import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaProblem } from './schemaProblem.ts';
import type { Sandbox } from './server.ts';
import { callService, type ServiceRequest } from './serviceCall.ts';
import { changeSettings } from './steering.ts';

/** What a sandbox starts with. Bodies are those of the interface. */
export interface Scenario {
	settings?: object;
	storedPhoneNumbers?: object[];
	webhooks?: { url: string; clientId: number }[];
	smsMessages?: object[];
	smsCampaigns?: object[];
	voiceCampaigns?: object[];
	/** Faults as the control API takes them; they are set last. */
	faults?: object[];
}

const objects = { type: 'array', items: { type: 'object' } };

const validate = new Ajv2020({ allErrors: true, strict: false }).compile({
	type: 'object',
	additionalProperties: false,
	properties: {
		$schema: { type: 'string' },
		settings: { type: 'object' },
		storedPhoneNumbers: objects,
		webhooks: {
			type: 'array',
			items: {
				type: 'object',
				additionalProperties: false,
				required: ['url', 'clientId'],
				properties: { url: { type: 'string' }, clientId: { type: 'integer' } },
			},
		},
		smsMessages: objects,
		smsCampaigns: objects,
		voiceCampaigns: objects,
		faults: objects,
	},
});

/** Reads a scenario file (JSON); throws an error that names what is wrong in it. */
export const readScenario = (file: string): Scenario => {
	const scenario: unknown = JSON.parse(readFileSync(file, 'utf8'));
	if (!validate(scenario)) throw new Error(schemaProblem(validate.errors, 'scenario'));
	return scenario as Scenario;
};

const requestsOf = (scenario: Scenario): [place: string, request: ServiceRequest][] => {
	const posts = (name: keyof Scenario, url: string): [string, ServiceRequest][] =>
		((scenario[name] ?? []) as object[]).map((body, index) => [
			`${name}[${String(index)}]`,
			{ method: 'POST', url, body },
		]);
	return [
		...posts('storedPhoneNumbers', '/api/PhoneNumberStorageItem'),
		...(scenario.webhooks ?? []).map(({ url, clientId }, index): [string, ServiceRequest] => [
			`webhooks[${String(index)}]`,
			{
				method: 'POST',
				url: `/api/integrations/UpdateWebHook?${new URLSearchParams({ url }).toString()}`,
				clientId,
			},
		]),
		...posts('smsMessages', '/api/SMSMessages'),
		...posts('smsCampaigns', '/api/Campaigns'),
		...posts('voiceCampaigns', '/api/campaigns/voice'),
	];
};

/** Fills a sandbox; throws an error that names the first part that was refused. */
export const applyScenario = async (
	{ app, service }: Sandbox,
	scenario: Scenario,
): Promise<void> => {
	if (scenario.settings) changeSettings(service, scenario.settings);
	for (const [place, request] of requestsOf(scenario)) {
		const { status, text } = await callService(app, service, request);
		if (status >= 300) throw new Error(`${place}: ${String(status)} ${text}`);
	}
	for (const fault of scenario.faults ?? []) service.faults.add(fault);
};
