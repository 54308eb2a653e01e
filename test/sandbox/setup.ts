import { startServer } from '../support/servers';

/** A request that a webhook receiver got. */
export interface Received {
	method: string;
	url: string;
	headers: Record<string, unknown>;
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
	const { url, close } = await startServer(async ({ body, ...request }, response) => {
		receiver.received.push({ ...request, body: JSON.parse(body) as Received['body'] });
		const status = receiver.answers.shift() ?? 200;
		await held;
		if (status === 0) response.destroy();
		else {
			response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {});
			response.end(`answer ${String(status)}`);
		}
	});
	const receiver: Receiver = {
		url: `${url}/hook?token=abc`,
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
		close,
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
export { useSandbox } from '../support/useSandbox';
