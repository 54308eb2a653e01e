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
 * The service returns the same page for every page index.
 * @param isInPath whether the path carries the page: then no setting names a parameter
 */
export function pageParameterIgnored(
	requested: number,
	received: number | undefined,
	isInPath: boolean,
): ListProblem {
	const returned =
		received === undefined ? 'the records of another page again' : `page ${received}`;
	const advice = isInPath
		? 'Ask the service operator how the pages of this list are requested.'
		: `Set the names of the service's paging parameters ${CONVENTIONS}.`;
	return new ListProblem(
		'The service does not recognize the page parameter',
		`n8n requested page ${requested}, and the service returned ${returned}, so the rest of the list cannot be read. ${advice}`,
	);
}

/** The pages hold more or fewer records than the service says there are. */
export function listIncomplete(received: number, totalRecords: number): ListProblem {
	return new ListProblem(
		`The service returned ${received} of ${totalRecords} records`,
		received < totalRecords
			? 'A page was missing or not complete. Try again, or ask the service operator.'
			: `The service reports a total of ${totalRecords}, so some records may be duplicates. Ask the service operator which number is right.`,
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

/** Records moved or were removed each time the list was read, so others may have been missed. */
export function listChanging(times: number): ListProblem {
	return new ListProblem(
		'The list changed while it was read',
		`n8n read the list ${times} times, and records moved or were removed each time, so some may be missing. Try again later, or narrow the list down with filters.`,
	);
}
