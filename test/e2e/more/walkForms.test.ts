import { openedForms, operations, walkForm } from '../support/formWalk.ts';

describe('the forms of all operations in the editor', () => {
	const editor = openedForms();

	it.each(operations.map((operation) => [operation.name, operation] as const))(
		'show what the operation needs, and what is missing (%s)',
		async (_name, operation) => {
			await walkForm(editor(), operation);
		},
	);
});
