import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');
const folder = path.join(root, 'docs', 'pictures');
const pictures = readdirSync(folder);
const pages = ['', 'docs', 'docs/development', 'examples', 'sandbox'].flatMap((place) =>
	readdirSync(path.join(root, place))
		.filter((name) => name.endsWith('.md'))
		.map((name) => readFileSync(path.join(root, place, name), 'utf8')),
);

const KILOBYTE = 1024;

describe('the pictures of the pages', () => {
	test('are all shown somewhere', () => {
		const isShown = (name: string) => pages.some((page) => page.includes(`pictures/${name}`));
		expect(pictures.filter((name) => !isShown(name))).toEqual([]);
	});

	test('are few and small', () => {
		const sizes = pictures.map((name) => ({ name, size: statSync(path.join(folder, name)).size }));
		expect(sizes.filter(({ size }) => size > 200 * KILOBYTE)).toEqual([]);
		expect(pictures.length).toBeLessThanOrEqual(40);
		expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(4 * KILOBYTE ** 2);
	});
});
