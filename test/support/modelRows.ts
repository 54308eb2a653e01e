import fc from 'fast-check';
import type { Behaviour, ModelRequest } from './modelService';

/** What the service does with a request that it does not simply accept. */
const TROUBLES = [
	...(['reject', 'busy', 'failBefore', 'failAfter', 'cutBefore', 'cutAfter'] as const),
	'acceptVaguely' as const,
];

/** Any behaviour: accepted as often as the weights say. */
export const anyBehaviour = (accepted: number, troubled: number) =>
	fc.oneof(
		{ weight: accepted, arbitrary: fc.constant<Behaviour>('accept') },
		{ weight: troubled, arbitrary: fc.constantFrom<Behaviour>(...TROUBLES) },
	);

/** The names of a request's recipients; of a single message its text, of an update also its path. */
export function namesIn({ path, body }: ModelRequest): string[] {
	const { contacts, phoneNumbers, message } = body as Record<string, { name: string }[]> & {
		message?: string;
	};
	return (contacts ?? phoneNumbers)?.map(({ name }) => name) ?? [message ?? path];
}

/** The rows that a text names, e.g. "Sent: items 0 to 2, 5 (4 in total)", or "rows 1 to 3". */
export function rowsNamed(
	description: string | null | undefined,
	label: string,
	noun = 'item',
): number[] {
	const [, list = ''] =
		new RegExp(`(?<!\\w )${label}: ${noun}s? ((?:\\d|, | to )+)`).exec(description ?? '') ?? [];
	return rowsIn(list);
}

/** The rows in a list such as "0 to 2, 5". */
export function rowsIn(list: string): number[] {
	return list.split(',').flatMap((range) => {
		const [from = '', to = from] = range.split('to').map((text) => text.trim());
		if (from === '') return [];
		return Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step);
	});
}
