import type { IDataObject } from 'n8n-workflow';

/** What the check found out about one question: an output item, whose columns are all texts. */
export interface Finding extends IDataObject {
	question: string;
	/** `ok`; `set`: enter `value` in `setting`; `ask`: send `advice` to the operator; `failed`. */
	result: 'ok' | 'set' | 'ask' | 'failed';
	found: string;
	/** Display name of the field of the credential. */
	setting: string;
	value: string;
	advice: string;
}

/** The answer is fine as it is. */
export function ok(question: string, found: string, advice = ''): Finding {
	return { question, result: 'ok', found, setting: '', value: '', advice };
}

/** A service convention of the credential needs another value. */
export function set(question: string, found: string, setting: string, value: string): Finding {
	const advice = 'Switch on Service Conventions in the credential and enter it there.';
	return { question, result: 'set', found, setting, value, advice };
}

/** Only the operator knows. @param advice a sentence to send to the operator */
export function ask(question: string, found: string, advice: string): Finding {
	return { question, result: 'ask', found, setting: '', value: '', advice };
}

/** It does not work. @param setting the field of the credential that may be wrong */
export function failed(question: string, found: string, advice: string, setting = ''): Finding {
	return { question, result: 'failed', found, setting, value: '', advice };
}
