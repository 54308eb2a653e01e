import { createReadStream } from 'node:fs';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

const MODE = 's3' as const;

/** A file of the disk as n8n's binary data: the nodes read it as a stream, as in n8n's own modes. */
export function binaryFile(path: string): IBinaryData {
	const service = Container.get(BinaryDataService);
	service.setManager(MODE, {
		getAsStream: async (file: string, highWaterMark?: number) =>
			createReadStream(file, { highWaterMark }),
	} as unknown as Parameters<BinaryDataService['setManager']>[1]);
	return { id: `${MODE}:${path}`, data: MODE, mimeType: 'text/csv' };
}
