import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

const MODE = 's3' as const;

/** A file of the disk as n8n's binary data: the nodes read it as a stream, as in n8n's own modes. */
export function binaryFile(path: string): IBinaryData {
	return streamedFile((highWaterMark) => createReadStream(path, { highWaterMark }));
}

/** What a stream gives as n8n's binary data, from its start each time. */
export function streamedFile(open: (highWaterMark?: number) => Readable): IBinaryData {
	const service = Container.get(BinaryDataService);
	service.setManager(MODE, {
		getAsStream: async (_file: string, highWaterMark?: number) => open(highWaterMark),
	} as unknown as Parameters<BinaryDataService['setManager']>[1]);
	return { id: `${MODE}:file`, data: MODE, mimeType: 'text/csv' };
}
