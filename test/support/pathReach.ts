import type { ReachKind } from '../../nodes/MessagingService/reach';

/** How requests of these paths reach people, by what the interface says about the endpoints. */
const BY_PATH: readonly (readonly [RegExp, ReachKind])[] = [
	[/^\/api\/smsmessages$/, 'messages'],
	[/^\/api\/campaigns(\/true|\/false)?$/, 'messages'],
	[/^\/api\/campaigns\/voice(\/true|\/false)?$/, 'calls'],
	// The client identifier may follow as last segment: a convention of the credential.
	[/^\/api\/campaign\/voice(\/[^/]+)?$/, 'calls'],
	[/^\/api\/campaigns\/[^/]+$/, 'campaign'],
	[/^\/api\/phonenumberstorageitem$/, 'nobody'],
	[/^\/api\/integrations\/updatewebhook(\/[^/]+)?$/, 'events'],
];

/** A second opinion on how a POST reaches people: by its path, whatever its operation declares. */
export function reachOfPath(path: string, hasBody: boolean): ReachKind {
	const place = path.toLowerCase().replace(/(.)\/$/, '$1');
	const [, kind = 'unknown'] = BY_PATH.find(([pattern]) => pattern.test(place)) ?? [];
	// Without a body, nobody knows what a POST on a record does, unless its path says it.
	const isTold = hasBody || kind === 'nobody' || kind === 'events';
	return isTold ? kind : 'unknown';
}
