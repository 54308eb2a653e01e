import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Raise it with every change of the schema. */
const schemaVersion = 4;

/** The fields of a message, from the table `sms`. */
const messageColumns = `id AS seq, newId, id, client_Id, dateCreated, dateModified, phoneNumber,
	status, price, smsCount, dateModified AS dateReceived, countryCode,
	COALESCE(senderNumber, (SELECT sender FROM smsCampaigns WHERE smsCampaigns.id = sms.campaignId)) AS senderNumber,
	COALESCE(message, (SELECT message FROM smsCampaigns WHERE smsCampaigns.id = sms.campaignId)) AS message,
	campaignId, voiceNumberId`;

/**
 * Column names are the interface's field names wherever a column is answered as it is.
 * The views carry exactly the fields of a listed resource, plus `seq`, the order of creation.
 */
const schema = `
CREATE TABLE IF NOT EXISTS smsCampaigns (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	client_Id INTEGER NOT NULL,
	startDateTime TEXT NOT NULL,
	sender TEXT NOT NULL,
	recipientCount INTEGER NOT NULL,
	message TEXT NOT NULL,
	status INTEGER NOT NULL,
	optOutLinkId INTEGER NOT NULL,
	trackLinkUrl TEXT NOT NULL,
	createdAt INTEGER NOT NULL,
	-- When its messages are to go out: null afterwards.
	startAt INTEGER
);
CREATE INDEX IF NOT EXISTS smsCampaignsDue ON smsCampaigns (startAt) WHERE startAt IS NOT NULL;

CREATE TABLE IF NOT EXISTS sms (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	newId TEXT NOT NULL UNIQUE,
	client_Id INTEGER NOT NULL,
	campaignId TEXT,
	voiceNumberId INTEGER,
	phoneNumber TEXT NOT NULL,
	name TEXT NOT NULL DEFAULT '',
	custom1 TEXT NOT NULL DEFAULT '',
	custom2 TEXT NOT NULL DEFAULT '',
	contactGroupId TEXT,
	senderNumber TEXT,
	message TEXT,
	createdAt INTEGER,
	dateCreated TEXT,
	dateModified TEXT,
	status INTEGER NOT NULL DEFAULT 2,
	price REAL NOT NULL DEFAULT 0,
	smsCount INTEGER NOT NULL DEFAULT 0,
	countryCode TEXT NOT NULL,
	-- When it gets its next status: null before its campaign starts, and afterwards.
	dueAt INTEGER,
	-- 1 where the list of messages shows it, null otherwise: an index holds the list.
	isListed INTEGER
);
CREATE INDEX IF NOT EXISTS smsOfCampaign ON sms (campaignId, id);
CREATE INDEX IF NOT EXISTS smsOfVoiceNumber ON sms (voiceNumberId) WHERE voiceNumberId IS NOT NULL;
CREATE INDEX IF NOT EXISTS smsDue ON sms (dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX IF NOT EXISTS smsListed ON sms (isListed) WHERE isListed IS NOT NULL;

CREATE TABLE IF NOT EXISTS voiceCampaigns (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	client_Id INTEGER NOT NULL,
	name TEXT NOT NULL COLLATE NOCASE,
	startDate TEXT NOT NULL,
	starttime TEXT NOT NULL,
	finishtime TEXT NOT NULL,
	type INTEGER NOT NULL,
	callFlow_Id INTEGER NOT NULL,
	campaignStatus INTEGER NOT NULL,
	callCount INTEGER NOT NULL DEFAULT 0,
	cli_Id INTEGER NOT NULL,
	attempts TEXT NOT NULL,
	runOverDays TEXT NOT NULL,
	answerMachineDetected INTEGER NOT NULL,
	smsOnBusy INTEGER NOT NULL,
	windows TEXT NOT NULL,
	createdAt INTEGER NOT NULL,
	UNIQUE (client_Id, name)
);

CREATE TABLE IF NOT EXISTS voiceNumbers (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	campaignId INTEGER NOT NULL,
	position INTEGER NOT NULL,
	number TEXT NOT NULL,
	name TEXT NOT NULL,
	parameters TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	-- When something happens next: the call starts, or the one in progress ends.
	nextAt INTEGER,
	-- The call in progress: when it started, and how it will end.
	startedAt INTEGER,
	callOutcome INTEGER,
	callStage INTEGER
);
CREATE INDEX IF NOT EXISTS voiceNumbersOfCampaign ON voiceNumbers (campaignId, position);
CREATE INDEX IF NOT EXISTS voiceNumbersDue ON voiceNumbers (nextAt) WHERE nextAt IS NOT NULL;
CREATE INDEX IF NOT EXISTS voiceNumbersOpen ON voiceNumbers (campaignId) WHERE nextAt IS NOT NULL;

CREATE TABLE IF NOT EXISTS calls (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	numberId INTEGER NOT NULL,
	startTime TEXT NOT NULL,
	endTime TEXT NOT NULL,
	startedAt INTEGER NOT NULL,
	endedAt INTEGER NOT NULL,
	stage INTEGER NOT NULL,
	outcome INTEGER NOT NULL,
	userInput TEXT NOT NULL,
	price REAL NOT NULL,
	isTransferCall INTEGER NOT NULL,
	attemptNumber INTEGER NOT NULL,
	secondsDuration INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS callsOfNumber ON calls (numberId);

CREATE TABLE IF NOT EXISTS storedPhoneNumbers (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	storageID TEXT NOT NULL UNIQUE,
	number TEXT NOT NULL,
	${Array.from({ length: 9 }, (_, index) => `parameter${String(index + 1)} TEXT`).join(', ')}
);

CREATE TABLE IF NOT EXISTS optOuts (
	clientId INTEGER NOT NULL,
	channel TEXT NOT NULL,
	phoneNumber TEXT NOT NULL,
	at TEXT NOT NULL,
	PRIMARY KEY (clientId, channel, phoneNumber)
);

CREATE TABLE IF NOT EXISTS webhooks (clientId INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS webhookHistory (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL,
	url TEXT NOT NULL,
	clientId INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS deliveries (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	createdAt TEXT NOT NULL,
	serviceTime TEXT NOT NULL,
	kind TEXT NOT NULL,
	clientId INTEGER NOT NULL,
	event TEXT NOT NULL,
	url TEXT,
	status TEXT NOT NULL,
	attemptCount INTEGER NOT NULL DEFAULT 0,
	readyAt INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS deliveriesReady ON deliveries (status, readyAt, id);
CREATE TABLE IF NOT EXISTS deliveryAttempts (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	deliveryId INTEGER NOT NULL,
	at TEXT NOT NULL,
	url TEXT NOT NULL,
	status INTEGER,
	error TEXT,
	body TEXT,
	durationMs INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS attemptsOfDelivery ON deliveryAttempts (deliveryId);

CREATE TABLE IF NOT EXISTS requests (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL,
	method TEXT NOT NULL,
	path TEXT NOT NULL,
	url TEXT NOT NULL,
	operationId TEXT,
	headers TEXT NOT NULL,
	body TEXT,
	status INTEGER,
	response TEXT,
	fault TEXT
);

-- Settings and the clock, as JSON.
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE VIEW IF NOT EXISTS smsCampaignRecords AS
	SELECT seq, id, startDateTime, sender, recipientCount, message, status,
		optOutLinkId, trackLinkUrl
	FROM smsCampaigns;
CREATE VIEW IF NOT EXISTS smsContactRecords AS
	SELECT id AS seq, campaignId, phoneNumber, name, custom1, custom2, newId AS id
	FROM sms WHERE campaignId IS NOT NULL;
CREATE VIEW IF NOT EXISTS smsMessageDetails AS SELECT ${messageColumns} FROM sms WHERE dateCreated IS NOT NULL;
CREATE VIEW IF NOT EXISTS smsMessageRecords AS SELECT ${messageColumns} FROM sms WHERE isListed = 1;
CREATE VIEW IF NOT EXISTS voiceCampaignRecords AS
	SELECT id AS seq, id, name, startDate, starttime, finishtime, type, callFlow_Id,
		campaignStatus, callCount, cli_Id AS cli_id, attempts, runOverDays
	FROM voiceCampaigns;
CREATE VIEW IF NOT EXISTS storedPhoneNumberRecords AS SELECT * FROM storedPhoneNumbers;
`;

/** Where the identifiers of each kind begin, so that no two kinds look alike. */
export const firstIds: Record<string, number> = {
	sms: 500_001,
	voiceCampaigns: 2001,
	voiceNumbers: 80_001,
};

/** SQLite's code for a file that another process has locked. */
const sqliteBusy = 5;

/** A row of the store. */
export type Row = Record<string, SQLInputValue>;

/** The SQLite store: in memory, or a file. */
export class Database {
	readonly #sqlite: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	constructor(file = ':memory:') {
		this.#sqlite = new DatabaseSync(file);
		// A second sandbox on the same file would call everybody again.
		this.#sqlite.exec('PRAGMA locking_mode = EXCLUSIVE');
		try {
			this.#sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
		} catch (error) {
			if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
			throw new Error(`${file} is in use by another sandbox.`, { cause: error });
		}
		this.#create();
	}

	/** Runs a statement that changes something; returns the id of the inserted row. */
	run(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.#statement(sql).run(...values).lastInsertRowid);
	}

	/** Adds a row to a table; returns its id. */
	insert(table: string, row: Row): number {
		const names = Object.keys(row);
		return this.run(
			`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
			...Object.values(row),
		);
	}

	/** Runs a statement that changes something; returns how many rows it changed. */
	change(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.#statement(sql).run(...values).changes);
	}

	/** The first row of a query. */
	get<T = Row>(sql: string, ...values: SQLInputValue[]): T | undefined {
		return this.#statement(sql).get(...values) as T | undefined;
	}

	/** All rows of a query. */
	all<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
		return this.#statement(sql).all(...values) as T[];
	}

	/** The number that a `SELECT count(*) AS n ...` (or min, or sum) gives. */
	number(sql: string, ...values: SQLInputValue[]): number | undefined {
		return this.get<{ n: number | null }>(sql, ...values)?.n ?? undefined;
	}

	/** Does all of the work or none of it. */
	transaction<T>(work: () => T): T {
		if (this.#sqlite.isTransaction) return work();
		this.#sqlite.exec('BEGIN');
		try {
			const result = work();
			this.#sqlite.exec('COMMIT');
			return result;
		} catch (error) {
			this.#sqlite.exec('ROLLBACK');
			throw error;
		}
	}

	/** What has been kept under this name. */
	readState<T>(name: string): T | undefined {
		const row = this.get<{ value: string }>('SELECT value FROM state WHERE name = ?', name);
		return row && (JSON.parse(row.value) as T);
	}

	/** Keeps a value, as JSON, until the store is cleared. */
	writeState(name: string, value: unknown): void {
		this.run(
			'INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)',
			name,
			JSON.stringify(value),
		);
	}

	/** Forgets everything. */
	clear(): void {
		this.#statements.clear();
		this.#drop();
		this.#create();
	}

	close(): void {
		this.#statements.clear();
		this.#sqlite.close();
	}

	/** A file of another version is emptied. */
	#create(): void {
		const { user_version: version } = this.#sqlite.prepare('PRAGMA user_version').get() as {
			user_version: number;
		};
		if (version !== schemaVersion) this.#drop();
		this.#sqlite.exec(`PRAGMA user_version = ${String(schemaVersion)};${schema}`);
		for (const [table, first] of Object.entries(firstIds)) {
			this.#sqlite
				.prepare(
					`INSERT INTO sqlite_sequence (name, seq)
					SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)`,
				)
				.run(table, first - 1, table);
		}
	}

	#drop(): void {
		const objects = this.#sqlite
			.prepare(
				`SELECT type, name FROM sqlite_master
				WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite_%' ORDER BY type DESC`,
			)
			.all() as { type: string; name: string }[];
		for (const { type, name } of objects) this.#sqlite.exec(`DROP ${type} "${name}"`);
	}

	#statement(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#sqlite.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}
