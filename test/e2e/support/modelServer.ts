import { startServer } from '../../support/servers.ts';

/** A function that the model may call, as the agent offers it. */
interface OfferedTool {
	function: { name: string; description: string; parameters: { properties?: object } };
}

/** A chat request as the agent sends it; only what the tests look at. */
export interface ChatRequest {
	messages: { role: string; content: unknown }[];
	tools?: OfferedTool[];
}

/** A language model that follows a script: it needs no network and always responds alike. */
export interface ModelServer {
	/** Base URL in the OpenAI style, ending in /v1. */
	url: string;
	/** What the agent asked, in order. */
	requests: ChatRequest[];
	stop(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible server. It calls the first tool that is offered with the given
 * arguments; once the tool's result is in the conversation, it responds with `answer`.
 * @param calls how often it calls the tool, all in one response
 */
export async function startModelServer(
	toolArguments: Record<string, unknown>,
	answer: string,
	calls = 1,
): Promise<ModelServer> {
	const requests: ChatRequest[] = [];
	const { url, close } = await startServer(({ body }, response) => {
		const chat = JSON.parse(body || '{}') as ChatRequest;
		requests.push(chat);
		const isToolDone = chat.messages.some(({ role }) => role === 'tool');
		const message = isToolDone
			? { role: 'assistant', content: answer }
			: {
					role: 'assistant',
					content: null,
					tool_calls: Array.from({ length: calls }, (_, call) => ({
						id: `call_${String(call + 1)}`,
						type: 'function',
						function: {
							name: chat.tools?.[0]?.function.name ?? 'no tool was offered',
							arguments: JSON.stringify(toolArguments),
						},
					})),
				};
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				id: `chat-${String(requests.length)}`,
				object: 'chat.completion',
				created: 0,
				model: 'scripted',
				choices: [{ index: 0, message, finish_reason: isToolDone ? 'stop' : 'tool_calls' }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	});
	return { url: `${url}/v1`, requests, stop: close };
}
