const CONVENTIONS = 'under "Service Conventions" in the credential';

/** The service returns the same page for every page index. */
export class PageParameterIgnored extends Error {
	readonly description: string;

	/** @param isInPath whether the path carries the page: then no setting names a parameter */
	constructor(requested: number, received: number | undefined, isInPath: boolean) {
		super('The service does not recognize the page parameter');
		this.name = 'PageParameterIgnored';
		const returned =
			received === undefined ? 'the records of another page again' : `page ${received}`;
		this.description = `n8n requested page ${requested}, and the service returned ${returned}, so the rest of the list cannot be read. ${isInPath ? 'Ask the service operator how the pages of this list are requested.' : `Set the names of the service's paging parameters ${CONVENTIONS}.`}`;
	}
}

/** The pages hold more or fewer records than the service says there are. */
export class ListIncomplete extends Error {
	readonly description: string;

	constructor(received: number, totalRecords: number) {
		super(`The service returned ${received} of ${totalRecords} records`);
		this.name = 'ListIncomplete';
		this.description =
			received < totalRecords
				? 'A page was missing or not complete. Try again, or ask the service operator.'
				: `The service reports a total of ${totalRecords}, so some records may be duplicates. Ask the service operator which number is right.`;
	}
}

/** A page in the middle of the list is empty, and no total tells whether records are missing. */
export class PageEmpty extends Error {
	readonly description =
		'The rest of the list cannot be read. Try again; if the page stays empty, ask the service operator.';

	constructor(page: number, totalPages: number) {
		super(`The service returned no records on page ${page} of ${totalPages}`);
		this.name = 'PageEmpty';
	}
}

/** More than n8n can hold in memory. */
export class ListTooLong extends Error {
	readonly description =
		'Narrow the list down with filters, or with Limit where the operation has it. If the list cannot be that long, ask the service operator.';

	constructor(records: number) {
		super(`The list exceeds ${records.toLocaleString('en-US')} records`);
		this.name = 'ListTooLong';
	}
}

/** Records moved or were removed each time the list was read, so others may have been missed. */
export class ListChanging extends Error {
	readonly description: string;

	constructor(times: number) {
		super('The list changed while it was read');
		this.name = 'ListChanging';
		this.description = `n8n read the list ${times} times, and records moved or were removed each time, so some may be missing. Try again later, or narrow the list down with filters.`;
	}
}
