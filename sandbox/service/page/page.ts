import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../errors.ts';
import type { Service } from '../service.ts';
import { calls } from './calls.ts';
import { campaigns } from './campaigns.ts';
import { connection, connectionActions, firstSteps, help, helpActions } from './connection.ts';
import { deliveries, deliveryActions } from './deliveries.ts';
import { eventActions, events } from './events.ts';
import { faultActions, faults } from './faults.ts';
import { actionsPath } from './forms.ts';
import { html, type Part } from './html.ts';
import { layout, pageHeaders, style, stylePath } from './layout.ts';
import type { List } from './lists.ts';
import { messages } from './messages.ts';
import { requests } from './requests.ts';
import { time, timeActions } from './time.ts';
import type { Action, Note, View } from './view.ts';

/** What people look for first, and what shows how it came to that. */
const results: List[] = [messages, campaigns, calls];
const traffic: List[] = [deliveries, requests];

/** The actions of all forms, by the section that shows their results. */
const actions: Record<string, Record<string, Action>> = {
	events: eventActions,
	time: timeActions,
	faults: faultActions,
	deliveries: deliveryActions,
	connection: connectionActions,
	help: helpActions,
};

const linkTo = ({ id, title }: List): [string, string] => [`/#${id}`, title];

const links: [address: string, text: string][] = [
	...results.map(linkTo),
	['/#connection', 'Connect'],
	['/#events', 'Fire events'],
	['/#time', 'Clock'],
	['/#faults', 'Faults'],
	...traffic.map(linkTo),
];

const largestForm = 256 * 1024;
const mostNotes = 50;

const contentOf = (view: View): Part =>
	html`${firstSteps(view)} ${results.map((list) => list.show(view))}
		<div class="folds">
			${connection(view)} ${events(view)} ${time(view)} ${faults(view)}
			${traffic.map((list) => list.show(view))} ${help(view)}
		</div>`;

/** Runs the action of a form; what it came to. */
const noteOf = (
	service: Service,
	[section, action, run]: [section: string, action: string, run: Action],
	fields: URLSearchParams,
): Note => {
	try {
		return { section, action, fields, text: run(service, fields), isError: false };
	} catch (error) {
		const { statusCode = 500, message } = error as Error & { statusCode?: number };
		if (statusCode >= 500) throw error;
		return { section, action, fields, text: message, isError: true };
	}
};

/** The page at `/`, and the actions of its forms. */
export const page =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		/** The latest notes: the page after a form's redirect shows one, and no address can make one up. */
		const notes = new Map<string, Note>();
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string', bodyLimit: largestForm },
			(_request, text, parsed) => parsed(null, new URLSearchParams(text as string)),
		);

		app.get(stylePath, (_request, reply) =>
			reply.type('text/css').header('cache-control', 'max-age=86400, immutable').send(style),
		);

		app.get<{ Querystring: { note?: string } }>('/', (request, reply) => {
			const { note = '' } = request.query;
			const view = {
				service,
				origin: `${request.protocol}://${request.host}`,
				note: notes.get(note),
			};
			return reply.headers(pageHeaders).send(layout(view, contentOf(view), links));
		});

		/** Keeps a note of what the action came to, and leads back to where the form was. */
		const handle =
			(...action: [section: string, action: string, run: Action]) =>
			({ body }: FastifyRequest, reply: FastifyReply) => {
				if (!(body instanceof URLSearchParams)) throw problem(415, 'The body must be a form.');
				const id = randomUUID();
				notes.set(id, noteOf(service, action, body));
				for (const old of [...notes.keys()].slice(0, -mostNotes)) notes.delete(old);
				return reply.redirect(`/?note=${id}#${action[0]}`, 303);
			};
		for (const [section, ofSection] of Object.entries(actions)) {
			for (const [action, run] of Object.entries(ofSection)) {
				app.post(`${actionsPath}/${action}`, handle(section, action, run));
			}
		}
		done();
	};
