import { getGlobalState } from 'n8n-workflow';
import { serviceZone, workflowZone } from '../../nodes/MessagingService/resources/shared/zones';
import { thrown } from './support/thrown';

const workflow = (zone: string) => ({ getTimezone: () => zone });
const service = (timeZone: string) => ({ settings: { timeZone } }) as never;

it.each([
	['Asia/Tokyo', 'Asia/Tokyo'],
	['DEFAULT', undefined],
	['', undefined],
])('a workflow with the time zone %j has its own, or that of n8n', (zone, own) => {
	expect(workflowZone(workflow(zone))).toBe(own ?? getGlobalState().defaultTimezone);
});

it('times of the service are in its time zone, or in that of the workflow', () => {
	const context = workflow('Asia/Tokyo');
	expect(serviceZone({ context, client: service('Europe/Paris') })).toBe('Europe/Paris');
	expect(serviceZone({ context, client: service('') })).toBe('Asia/Tokyo');
});

it('a time zone that does not exist is refused by the field that has it', () => {
	const context = workflow('Mars/North');
	expect(thrown(() => workflowZone(context))).toMatchObject({
		message: 'Timezone is not a known time zone (Mars/North)',
	});
	expect(thrown(() => serviceZone({ context, client: service('Europe/Pariss') }))).toMatchObject({
		message: 'Service Time Zone is not a known time zone (Europe/Pariss)',
	});
});
