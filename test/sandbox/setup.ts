import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../host/sandbox.ts';

/** One sandbox for all tests of a file, emptied before each of them. */
export const useSandbox = (): (() => Sandbox) => {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(async () => {
		await sandbox?.reset();
	});
	afterEach(async () => {
		const violations = await sandbox?.control.get<{ items: string[] }>('/violations');
		expect(violations?.data.items).toEqual([]);
	});
	afterAll(async () => {
		await sandbox?.stop();
	});
	return () => {
		if (!sandbox) throw new Error('The sandbox has not been started');
		return sandbox;
	};
};

/** A request that a webhook receiver got. */
export interface Received {
	method: string | undefined;
	url: string | undefined;
	headers: IncomingMessage['headers'];
	body: { webHookType: number; data: Record<string, unknown> };
}

/** A web server that a webhook URL can point to. */
export interface Receiver {
	url: string;
	received: Received[];
	/** Responds with these statuses first, then with 200; 0 cuts the connection. */
	answers: number[];
	/** Holds responses back until they are released. */
	hold(): () => void;
	close(): Promise<void>;
}

/** Starts a web server that takes events. */
export const startReceiver = async (): Promise<Receiver> => {
	let held: Promise<void> | undefined;
	const server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method, url, headers } = request;
			const text = Buffer.concat(chunks).toString();
			receiver.received.push({ method, url, headers, body: JSON.parse(text) as Received['body'] });
			const status = receiver.answers.shift() ?? 200;
			void Promise.resolve(held).then(() => {
				if (status === 0) request.socket.destroy();
				else {
					response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {});
					response.end(`answer ${String(status)}`);
				}
			});
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const receiver: Receiver = {
		url: `http://127.0.0.1:${String(port)}/hook?token=abc`,
		received: [],
		answers: [],
		hold() {
			let release = (): void => undefined;
			held = new Promise<void>((resolve) => {
				release = resolve;
			});
			return () => {
				held = undefined;
				release();
			};
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return receiver;
};

/** A new receiver for each test. */
export const useReceiver = (): (() => Receiver) => {
	let receiver: Receiver | undefined;
	beforeEach(async () => {
		receiver = await startReceiver();
	});
	afterEach(async () => {
		await receiver?.close();
	});
	return () => {
		if (!receiver) throw new Error('The receiver has not been started');
		return receiver;
	};
};

/** Contacts with different numbers; all of them get the status Delivered. */
export const contacts = (count: number): { phoneNumber: string; name: string }[] =>
	Array.from({ length: count }, (_, index) => ({
		phoneNumber: `+4477${String(index).padStart(6, '0')}11`,
		name: `Person ${String(index)}`,
	}));

export { voiceBody } from '../support/voiceCampaign';
