import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import type { Failure } from '../../failure';
import { classify, type Classification } from '../../numbers/plans';
import { internationalForm } from '../../numbers/readNumber';
import type { OptOutMatches } from '../../parameters/operationInput';
import type { Reason, Screen } from '../../reason';
import type { PostRequest, ReadClient } from '../../transport/request';
import type { Timing } from '../timing';

/** A rule of the sending policy: all there is to it stands in one file of this folder. */
export interface Rule {
	/** The credential's fields. */
	fields: readonly INodeProperties[];
	/**
	 * Reads the fields.
	 * @returns what the rule checks; nothing where the fields allow everything
	 * @throws Failure where a value cannot be read: nothing is sent then
	 */
	read(credential: ICredentialDataDecryptedObject): Checks;
}

/** What a rule checks before a request goes out; most rules need one of these. */
export interface Checks {
	/**
	 * Why a request may not go out, whoever its recipients are.
	 * @param zone IANA zone of the service's clock; undefined where the credential does not say it
	 */
	ofRequest?(request: PostRequest, zone: string | undefined): Failure | undefined;
	/** Why messages from a sender may not go out; undefined: the service does not tell it. */
	ofSender?(sender: unknown): Failure | undefined;
	/** Why an operation may not change where the events of the account go. */
	ofWebhook?(): Failure | undefined;
	/** Starts to check the recipients of one request: why one of them may not be reached. */
	ofRecipients?(timing: Timing, zone: string): (recipient: Recipient) => Reason | undefined;
	/** Why a node that has reached so many recipients in this execution may not reach so many more. */
	ofCount?(reached: number, more: number): Failure | undefined;
	/**
	 * Reads who must not be contacted, unless that was read a short time ago.
	 * @param noteUnreadable is told of stored numbers that are no phone numbers, by their storage IDs
	 * @throws what reading the stored numbers throws
	 */
	readBlocked?(
		client: ReadClient,
		noteUnreadable: (storageIds: readonly string[]) => void,
	): Promise<Blocked>;
	/** The hours that must lie between two texts to one person. */
	hoursBetween?: number;
	/** What stored numbers have that must not be contacted; Opt Out stores the first. */
	matches?: OptOutMatches;
	/** Whether the operations can leave out the recipients that it refuses, for it depends on the time. */
	isOfHours?: boolean;
	/** Whether nothing is sent, though everything is in order. */
	isSimulated?: boolean;
}

/** Those who must not be contacted, as they were read at one time. */
export interface Blocked {
	readAt: number;
	screen: Screen;
}

/** A phone number as a request has it, read once for all rules. */
export class Recipient {
	readonly e164: string | undefined;
	private known: Classification | undefined;

	constructor(number: unknown) {
		this.e164 = internationalForm(number);
	}

	/** Undefined where the number is not known in international form. */
	get classification(): Classification | undefined {
		if (this.e164 !== undefined) this.known ??= classify(this.e164);
		return this.known;
	}

	/** How to make the number known; a sentence with a space before it, or nothing where it is. */
	get advice(): string {
		return this.e164 === undefined ? ` ${HOW_TO_COMPLETE}` : '';
	}
}

export const HOW_TO_COMPLETE =
	'Write the number with + and the country code, or set Default Country in the credential or in Options (and Number Format to International).';
