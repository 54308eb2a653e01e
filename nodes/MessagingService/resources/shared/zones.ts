import { DateTime } from 'luxon';
import { getGlobalState, type IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { ReadClient } from '../../transport/request';
import { isTimeZone } from '../../times';

/** What n8n saves as the time zone of a workflow that uses the one of the instance. */
const INHERITED = 'DEFAULT';

/**
 * The time zone of the workflow, or the instance's where the workflow has none.
 * @throws Failure when it does not exist
 */
export function workflowZone(context: Pick<IExecuteFunctions, 'getTimezone'>): string {
	const own = context.getTimezone();
	const zone = own === INHERITED || own === '' ? getGlobalState().defaultTimezone : own;
	// Not now(): n8n makes DEFAULT the default zone of Luxon, in which every time is invalid.
	if (DateTime.utc().setZone(zone).isValid) return zone;
	throw unknownZone(zone, 'Timezone', 'Choose another time zone in the settings of the workflow.');
}

/**
 * The time zone of the service's dates and times without designator.
 * @throws Failure when it does not exist
 */
export function serviceZone({
	context,
	client,
}: {
	context: Pick<IExecuteFunctions, 'getTimezone'>;
	client: Pick<ReadClient, 'settings'>;
}): string {
	const { timeZone } = client.settings;
	if (timeZone === '') return workflowZone(context);
	if (isTimeZone(timeZone)) return timeZone;
	throw unknownZone(
		timeZone,
		'Service Time Zone',
		'Use a name like Europe/London under "Service Conventions" in the credential.',
	);
}

function unknownZone(zone: string, label: string, advice: string): Failure {
	return Failure.ofField(label, `is not a known time zone (${zone})`, advice);
}
