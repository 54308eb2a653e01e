import { startServer, type LocalServer } from './servers.ts';

/** Stored numbers are read in pages: their paths end in size and index. */
const PAGE = /\/PhoneNumberStorageItem\/(\d+)\/(\d+)$/;

const SOME_ID = JSON.stringify('c56a4180-65aa-42ec-a945-5fd21dec0538');

/** A service that takes every message, and has this many stored numbers, all of which opted out. */
export interface StoredNumbersService extends Pick<LocalServer, 'url' | 'close'> {
	/** The path of every page that was read, in order. */
	pages(): string[];
	/** The number of every message, in order. */
	sentTo(): unknown[];
}

/** The number that is stored at a place. */
export const storedNumber = (place: number): string => `+4478${String(place).padStart(8, '0')}`;

/** Parameters of the credential with which the stored numbers are not contacted. */
export const storedRule = {
	sendingPolicy: true,
	doNotContactParameter: 'parameter1',
	doNotContactValue: 'opted out',
};

/** Starts it; a page is made once. */
export async function startStoredNumbers(total: number): Promise<StoredNumbersService> {
	const pages = new Map<string, string>();
	const pageOf = (size: number, index: number): string => {
		const first = (index - 1) * size;
		const length = index < 1 ? 0 : Math.max(0, Math.min(size, total - first));
		const items = Array.from({ length }, (_, offset) => ({
			storageID: `s${String(first + offset)}`,
			number: storedNumber(first + offset),
			parameter1: 'Opted out',
		}));
		const totalPages = Math.ceil(total / size);
		return JSON.stringify({ pageIndex: index, totalPages, totalRecords: total, items });
	};
	const { url, close, received } = await startServer(({ url: path }, response) => {
		response.setHeader('Content-Type', 'application/json');
		const [, size, index] = PAGE.exec(path) ?? [];
		if (size === undefined) return void response.end(SOME_ID);
		const page = pages.get(path) ?? pageOf(Number(size), Number(index));
		pages.set(path, page);
		response.end(page);
	});
	return {
		url,
		close,
		pages: () => received.map((request) => request.url).filter((path) => PAGE.test(path)),
		sentTo: () =>
			received
				.filter(({ method }) => method === 'POST')
				.map(({ body }) => (JSON.parse(body) as { phoneNumber: unknown }).phoneNumber),
	};
}
