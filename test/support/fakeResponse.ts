import { EventEmitter } from 'node:events';

/** The HTTP response to a delivery, with what the trigger and n8n use of it. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	headers: Record<string, unknown> = {};
	body: unknown = undefined;
	headersSent = false;
	writableEnded = false;
	destroyed = false;
	closed = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	setHeader(name: string, value: unknown): this {
		this.headers[name] = value;
		return this;
	}

	json(body: unknown): this {
		this.body = body;
		return this.end();
	}

	/** Ends the response: by the trigger, or by n8n once it has taken the event over. */
	end(): this {
		this.headersSent = true;
		this.writableEnded = true;
		if (this.destroyed) return this;
		this.emit('finish');
		this.closed = true;
		this.emit('close');
		return this;
	}

	/** The sender gives up. */
	disconnect(): void {
		this.destroyed = true;
		this.closed = true;
		this.emit('close');
	}
}
