import { execute } from '../../queue/support/stand.ts';

/** What PostgreSQL says when its disk is full: SQLSTATE 53100. */
const raise = `CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger AS $$
	BEGIN
		RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
	END $$ LANGUAGE plpgsql;`;

/** From now on, PostgreSQL refuses to store the data of new executions, or the results of those that end. */
export async function fillDisk(what: 'new executions' | 'results'): Promise<void> {
	const when = what === 'new executions' ? 'INSERT' : 'UPDATE';
	await execute(`${raise}
		CREATE TRIGGER disk_full BEFORE ${when} ON execution_data
		FOR EACH ROW EXECUTE FUNCTION disk_full();`);
}

/** There is space again. */
export async function emptyDisk(): Promise<void> {
	await execute('DROP TRIGGER IF EXISTS disk_full ON execution_data;');
}
