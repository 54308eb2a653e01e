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

/** What came back from the tools that the model called, in the order of its calls. */
export const toolResults = ({ requests }: ModelServer): string[] =>
	(requests[1]?.messages ?? [])
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => JSON.stringify(content));

/** A language model that follows a script: it needs no network and always responds alike. */
export interface ModelServer {
	/** Base URL in the OpenAI style, ending in /v1. */
	url: string;
	/** What the agent asked, in order. */
	requests: ChatRequest[];
	stop(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible server. It calls every tool that is offered with the given arguments,
 * all in one response; once their results are in the conversation, it responds with `answer`.
 * @param calls how often it calls each tool
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
					tool_calls: (chat.tools ?? []).flatMap((tool, place) =>
						Array.from({ length: calls }, (_, call) => ({
							id: `call_${String(place * calls + call + 1)}`,
							type: 'function',
							function: { name: tool.function.name, arguments: JSON.stringify(toolArguments) },
						})),
					),
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
