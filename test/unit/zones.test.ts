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

it('a Timezone of the workflow that does not exist is refused', () => {
	expect(thrown(() => workflowZone(workflow('Mars/North')))).toMatchObject({
		message: 'Timezone is not a known time zone (Mars/North)',
	});
});

it.each(['Mars/Base', 'Europe/Pariss', 'BST', 'EST', 'IST', 'local', 'system', 'default'])(
	'a Service Time Zone that does not exist, or can be that of another place, is refused: %s',
	(zone) => {
		const read = () => serviceZone({ context: workflow('UTC'), client: service(zone) });
		expect(thrown(read)).toMatchObject({
			message: `Service Time Zone is not a known time zone (${zone})`,
		});
	},
);

it.each(['europe/london', 'Asia/Calcutta', 'Etc/GMT-1', 'UTC', 'utc+2', 'GMT'])(
	'a Service Time Zone may be %s',
	(zone) => {
		const read = () => serviceZone({ context: workflow('Asia/Tokyo'), client: service(zone) });
		expect(read().toLowerCase()).toBe(zone.toLowerCase());
	},
);
