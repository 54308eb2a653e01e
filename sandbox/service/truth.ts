import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Channel } from './campaignStatuses.ts';
import { localText, utcText } from './clock.ts';
import type { Row } from './database.ts';
import { readList, type Condition } from './listing.ts';
import { isDialled, isRefusedSms, outcome, smsStatus } from './magicNumbers.ts';
import { recipientZoneOf } from './phoneNumbers.ts';
import type { Service } from './service.ts';

/** What of a list is wanted. */
export interface TruthQuery {
	campaignId?: string;
	phoneNumber?: string;
	/** Local times are given in this zone instead of each recipient's own. */
	timeZone?: string;
	/** Only records whose `id` is above this one: lists are in the order of what happened. */
	after?: number;
	limit: number;
}

interface TruthList {
	from: string;
	columns: string;
	key: string;
	/** Columns of moments, in milliseconds since 1970. */
	moments: string[];
	campaignId: string;
	phoneNumber?: string;
	condition?: string;
}

const codesThat = (codes: Record<string, number>, hold: (code: number) => boolean): string =>
	Object.values(codes).filter(hold).join(', ');

const calls = `calls JOIN voiceNumbers ON voiceNumbers.id = calls.numberId`;

/** The lists of what has happened: `contacts` is who was really called or sent a message, and when. */
export const truthLists: Record<string, TruthList> = {
	calls: {
		from: calls,
		columns: `calls.id AS id, voiceNumbers.campaignId AS campaignId, numberId, number AS phoneNumber, attemptNumber,
			calls.outcome AS outcome, calls.stage AS stage, userInput, price, secondsDuration, calls.startedAt AS startTime,
			endedAt AS endTime`,
		key: 'calls.id',
		moments: ['startTime', 'endTime'],
		campaignId: 'voiceNumbers.campaignId',
		phoneNumber: 'number',
	},
	smsStatuses: {
		from: 'smsStatuses JOIN sms ON sms.id = smsStatuses.smsId',
		columns: `smsStatuses.id AS id, smsId, newId, campaignId, voiceNumberId, phoneNumber, smsStatuses.status AS status,
			at`,
		key: 'smsStatuses.id',
		moments: ['at'],
		campaignId: 'campaignId',
		phoneNumber: 'phoneNumber',
	},
	campaignStatuses: {
		from: 'campaignStatuses',
		columns: 'id, channel, campaignId, status, at',
		key: 'id',
		moments: ['at'],
		campaignId: 'campaignId',
	},
	calledNumbers: {
		from: calls,
		columns: `calls.id AS id, voiceNumbers.campaignId AS campaignId, number AS phoneNumber, calls.startedAt AS at`,
		key: 'calls.id',
		moments: ['at'],
		campaignId: 'voiceNumbers.campaignId',
		phoneNumber: 'number',
		condition: `calls.outcome IN (${codesThat(outcome, isDialled)})`,
	},
	sentMessages: {
		from: 'sms',
		columns: 'id, campaignId, voiceNumberId, phoneNumber, createdAt AS at',
		key: 'id',
		moments: ['at'],
		campaignId: 'campaignId',
		phoneNumber: 'phoneNumber',
		condition: `createdAt IS NOT NULL AND status NOT IN (${codesThat(smsStatus, isRefusedSms)})`,
	},
};

const withLocalTime = ({ settings }: Service, row: Row, timeZone: string | undefined): Row => {
	const zone =
		timeZone ?? recipientZoneOf(String(row.phoneNumber), settings.current.recipientZones) ?? null;
	return {
		...row,
		timeZone: zone,
		localTime: zone === null ? null : localText(Number(row.at), zone),
	};
};

/** Part of a list, in the order of what happened. */
export const readTruth = (
	service: Service,
	name: string,
	query: TruthQuery,
): { total: number; items: Row[] } => {
	const list = truthLists[name];
	if (!list) throw new Error(`There is no list ${name}`);
	const conditions: Condition[] = [
		[`CAST(${list.campaignId} AS TEXT) = ?`, query.campaignId],
		[`${list.phoneNumber ?? 'NULL'} = ?`, query.phoneNumber],
		[`${list.key} > ?`, query.after],
		[`${list.condition ?? '1'} AND ?`, 1],
	];
	const { total, items } = readList<Row>(service.database, {
		...list,
		conditions,
		limit: query.limit,
	});
	const hasLocalTime = name === 'calledNumbers' || name === 'sentMessages';
	return {
		total,
		items: items.map((row) => {
			const shown = hasLocalTime ? withLocalTime(service, row, query.timeZone) : { ...row };
			for (const moment of list.moments) shown[moment] = utcText(Number(row[moment]));
			return shown;
		}),
	};
};

/** What identifies the recipients of a campaign without listing them. */
export interface Checksum {
	count: number;
	/** SHA-256 of the numbers in the order of the request, each followed by a line feed. */
	numbers: string;
	/** SHA-256 of JSON arrays, one a line: [phoneNumber, name, custom1, custom2] or [number, name, parameters]. */
	records: string;
}

const recipientQueries: Record<Channel, { exists: string; page: string }> = {
	sms: {
		exists: 'SELECT 1 FROM smsCampaignRecords WHERE id = ?',
		page: `SELECT id, phoneNumber, json_array(phoneNumber, name, custom1, custom2) AS record FROM sms
			WHERE campaignId = ? AND id > ? ORDER BY id LIMIT ?`,
	},
	voice: {
		exists: 'SELECT 1 FROM voiceCampaignRecords WHERE id = CAST(? AS INTEGER)',
		page: `SELECT id, number AS phoneNumber, json_array(number, name, json(parameters)) AS record FROM voiceNumbers
			WHERE campaignId = CAST(? AS INTEGER) AND id > ? ORDER BY id LIMIT ?`,
	},
};

const recipientsAtOnce = 10_000;

/** The checksum of a campaign's recipients; nothing if there is no such campaign. */
export const checksumOf = async (
	{ database }: Service,
	channel: Channel,
	campaignId: string,
): Promise<Checksum | undefined> => {
	const { exists, page } = recipientQueries[channel];
	if (!database.get(exists, campaignId)) return undefined;
	const numbers = createHash('sha256');
	const records = createHash('sha256');
	let count = 0;
	let last = 0;
	for (;;) {
		const recipients = database.all<{ id: number; phoneNumber: string; record: string }>(
			page,
			campaignId,
			last,
			recipientsAtOnce,
		);
		for (const { phoneNumber, record } of recipients) {
			numbers.update(`${phoneNumber}\n`);
			records.update(`${record}\n`);
		}
		count += recipients.length;
		last = recipients.at(-1)?.id ?? last;
		if (recipients.length < recipientsAtOnce) break;
		await breathe();
	}
	return { count, numbers: numbers.digest('hex'), records: records.digest('hex') };
};
