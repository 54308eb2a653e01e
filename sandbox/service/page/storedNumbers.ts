import { html } from './html.ts';
import { defineList } from './lists.ts';

const parameterNames = Array.from({ length: 9 }, (_, index) => `parameter${String(index + 1)}`);

type Row = { key: number; storageID: string; number: string } & Record<string, unknown>;

/** Stored phone numbers. */
export const storedNumbers = defineList<Row>({
	id: 'stored-numbers',
	title: 'Stored phone numbers',
	empty: html`No stored phone numbers yet. In n8n, use the operation
		<strong>Phone Number Storage: Create</strong>.`,
	select: ['storageID', 'number', ...parameterNames].join(', '),
	from: 'storedPhoneNumbers',
	search: [
		'storageID',
		'number',
		'parameter1',
		'parameter2',
		'parameter3',
		'parameter4',
		'parameter5',
		'parameter6',
		'parameter7',
		'parameter8',
		'parameter9',
	],
	key: 'seq',
	columns: () => [
		{ label: 'Storage ID', cell: ({ storageID }) => storageID },
		{ label: 'Phone number', cell: ({ number }) => number },
		{
			label: 'Parameters',
			kind: 'main',
			cell: (row) =>
				parameterNames
					.filter((name) => typeof row[name] === 'string')
					.map((name) => `${name.slice(-1)}: ${String(row[name])}`)
					.join(', '),
		},
	],
});
