import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { expectReadable, expectReadableRefusal, withReadableErrors } from '../support/errorTexts';
import { runs } from '../support/runs';

const MAX_TITLE = 80;
const good = { message: 'Phone Number is empty', description: 'Enter a number.' };

describe('the titles of errors', () => {
	it('of fields are cut at 80 characters', () => {
		fc.assert(
			fc.property(
				fc.string({ maxLength: 200 }),
				fc.string({ maxLength: 200 }),
				(field, problem) => {
					expect(new InputError(field, problem, 'Fix it.').message.length).toBeLessThanOrEqual(
						MAX_TITLE,
					);
				},
			),
			{ numRuns: runs(100) },
		);
	});

	it('are at most 80 characters long where they are fixed', () => {
		const titles = globSync('{nodes,credentials}/**/*.ts').flatMap((file) =>
			[...readFileSync(file, 'utf8').matchAll(/\bmessage: '((?:[^'\\]|\\.)*)'/g)].map(
				([, title = '']) => title,
			),
		);
		expect(titles.length).toBeGreaterThan(5);
		expect(titles.filter((title) => title.length > MAX_TITLE)).toEqual([]);
	});
});

describe('the check of all errors in the engine tests', () => {
	it.each([
		['a title of 81 characters', { ...good, message: 'x'.repeat(81) }],
		['no description', { ...good, description: '' }],
		['a word that the glossary does not want', { ...good, description: 'This is unusable.' }],
		[
			'a title of 301 characters with a status',
			{ ...good, message: 'x'.repeat(301), httpCode: '400' },
		],
	])('finds %s', (_problem, error) => {
		expect(() => {
			expectReadable(error, []);
		}).toThrow('Error text');
	});

	it('finds it in the items of the error branch, too', () => {
		const json = { error: 'x'.repeat(81), description: 'Fix it.', sent: 'no' };
		const items: INodeExecutionData[] = [{ json }];
		expect(() => {
			expectReadable(undefined, items);
		}).toThrow('title of 81 characters');
	});

	it('allows a good error, and the words of the service', () => {
		expectReadable(good, []);
		expectReadable({ ...good, message: 'x'.repeat(300), httpCode: '400' }, []);
	});
});

describe('the check of the errors of triggers', () => {
	it('finds what a hook or a poll throws', async () => {
		const failing = async (error: unknown) =>
			await withReadableErrors(async () => await Promise.reject(error as Error));
		await expect(failing({ message: 'No description' })).rejects.toThrow('Error text');
		await expect(failing(good)).rejects.toBe(good);
		expect(await withReadableErrors(async () => await Promise.resolve(1))).toBe(1);
	});

	it.each([[''], ['x'.repeat(81)], ['This is unusable'], [undefined]])(
		'finds the refusal of a delivery with the text %p',
		(error) => {
			expect(() => {
				expectReadableRefusal({ error });
			}).toThrow('Error text');
		},
	);

	it('allows a good refusal', () => {
		expectReadableRefusal({ error: 'The body is not a JSON object' });
	});
});
