import { readFile } from 'node:fs/promises';
import { host } from '../support/host.ts';
import { describeNeverSendingTwice } from '../support/sentOnceSuite.ts';

describe('never sending twice', () => {
	describeNeverSendingTwice(async () => await readFile(host().n8nLog, 'utf8'));
});
