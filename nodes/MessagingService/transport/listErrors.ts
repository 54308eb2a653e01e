const CONVENTIONS = 'under "Service Conventions" in the credential';

/** Why a list could not be read whole: a title, and what to do about it. */
export class ListProblem extends Error {
	readonly description: string;

	constructor(message: string, description: string) {
		super(message);
		this.name = 'ListProblem';
		this.description = description;
	}
}

/**
 * The service returns another page than the requested one.
 * @param isInPath whether the path carries the page: then no setting names a parameter
 */
export function pageParameterIgnored(requested: number, isInPath: boolean): ListProblem {
	const advice = isInPath
		? 'Ask the service operator how the pages of this list are requested.'
		: `Set the names of the service's paging parameters ${CONVENTIONS}.`;
	return new ListProblem(
		'The service does not recognize the page parameter',
		`n8n requested page ${requested}, and the service returned another one, so the rest of the list cannot be read. ${advice}`,
	);
}

/** However often the list was read, records may have been missed. */
export function listIncomplete(received: number, total: number): ListProblem {
	return new ListProblem(
		received < total
			? `The service returned ${received} of ${total} records`
			: 'The list changed while it was read',
		'A page is incomplete, or records moved or were removed each time n8n read the list. Try again later, or narrow the list down with filters. If it stays so, ask the service operator which number is correct.',
	);
}

/** A page in the middle of the list is empty, and no total tells whether records are missing. */
export function pageEmpty(page: number, totalPages: number): ListProblem {
	return new ListProblem(
		`The service returned no records on page ${page} of ${totalPages}`,
		'The rest of the list cannot be read. Try again; if the page stays empty, ask the service operator.',
	);
}

/** More than n8n can hold in memory. */
export function listTooLong(records: number): ListProblem {
	return new ListProblem(
		`The list exceeds ${records.toLocaleString('en-US')} records`,
		'Narrow the list down with filters, or with Limit where the operation has it. If the list cannot be that long, ask the service operator.',
	);
}
