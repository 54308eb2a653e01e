import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problem } from '../errors.ts';
import { callService } from '../serviceCall.ts';
import { refuseOtherSites } from '../otherSites.ts';
import type { Service } from '../service.ts';
import { calls } from './calls.ts';
import { connection } from './connection.ts';
import { counts } from './counts.ts';
import { deliveries, deliveryActions } from './deliveries.ts';
import { eventActions, events } from './events.ts';
import { faultActions, faults } from './faults.ts';
import { actionsPath } from './forms.ts';
import { help } from './help.ts';
import { html, type Part } from './html.ts';
import { layout, pageHeaders } from './layout.ts';
import type { List } from './lists.ts';
import { messages } from './messages.ts';
import { Notes } from './notes.ts';
import { optOuts } from './optOuts.ts';
import { reference } from './reference.ts';
import { requestActions, requests } from './requests.ts';
import { reset, resetActions } from './reset.ts';
import { searchForm } from './search.ts';
import { serviceActions, serviceForms } from './serviceForms.ts';
import { smsCampaigns } from './smsCampaigns.ts';
import { storedNumbers } from './storedNumbers.ts';
import { time, timeActions } from './time.ts';
import { addressOf, everything, zoneOf, type Action, type Selection, type View } from './view.ts';
import { voiceCampaigns } from './voiceCampaigns.ts';
import { webhook } from './webhook.ts';

const lists: List[] = [
	deliveries,
	smsCampaigns,
	messages,
	voiceCampaigns,
	calls,
	storedNumbers,
	optOuts,
	requests,
];

/** The actions of all forms, by the section that shows their results. */
const actions: Record<string, Record<string, Action>> = {
	events: eventActions,
	time: timeActions,
	faults: faultActions,
	deliveries: deliveryActions,
	service: serviceActions,
	requests: requestActions,
	reset: resetActions,
};

const links: [address: string, text: string][] = [
	['/#events', 'Fire events'],
	['/#time', 'Clock'],
	['/#faults', 'Faults'],
	['/#service', 'Send'],
	['/#connection', 'Connect'],
	...lists.map(({ id, title }): [string, string] => [`/#${id}`, title]),
	['/docs', 'API reference'],
];

/** The addresses of the page and of the reference. */
export const pagePaths = ['/', '/docs'] as const;

const largestForm = 256 * 1024;

/** Which part of the page an address asks for; what makes no sense in it is left out. */
const selectionOf = (query: URLSearchParams): Selection => {
	const list = lists.find(({ id }) => id === query.get('list'));
	const search = query.get('q')?.trim() ?? '';
	if (!list) return { ...everything, search };
	const before = Number(query.get('before') ?? '');
	return {
		list: list.id,
		search,
		before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
		filters: Object.fromEntries(
			list.filters.flatMap((name) => {
				const value = query.get(name);
				return value === null || value === '' ? [] : [[name, value]];
			}),
		),
	};
};

const queryOf = (address: string): URLSearchParams =>
	new URLSearchParams(address.includes('?') ? address.slice(address.indexOf('?')) : '');

const contentOf = (view: View): Part => {
	const list = lists.find(({ id }) => id === view.selection.list);
	if (list) return list.show(view);
	return html`${counts(view)}
		<div class="columns">
			<div class="controls">
				${events(view)} ${time(view)} ${faults(view)} ${serviceForms(view)} ${webhook(view)}
				${connection(view)}
			</div>
			<div class="lists">${lists.map((one) => one.show(view))}</div>
			<div class="rest">${help(view)} ${reset(view)}</div>
		</div>`;
};

/** Runs the action of a form, keeps a note of the result and leads back to where the form was. */
const formHandler =
	(app: FastifyInstance, service: Service, notes: Notes) =>
	(section: string, action: string, run: Action) =>
	async ({ body }: FastifyRequest, reply: FastifyReply) => {
		if (!(body instanceof URLSearchParams)) throw problem(415, 'The body must be a form.');
		let text: string;
		let isError = false;
		try {
			text = await run(service, body, (wanted) => callService(app, service, wanted));
		} catch (error) {
			const { statusCode = 500, message } = error as Error & { statusCode?: number };
			if (statusCode >= 500) throw error;
			text = message;
			isError = true;
		}
		const id = notes.add({ section, action, fields: body, text, isError });
		const back = addressOf(selectionOf(queryOf(body.get('back') ?? '')));
		const address = `${back}${back === '/' ? '?' : '&'}note=${id}#${section}`;
		return await reply.redirect(address, 303);
	};

/** The page at `/`, and the actions of its forms. */
export const page =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		const notes = new Notes();
		app.addHook('onRequest', refuseOtherSites);
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string', bodyLimit: largestForm },
			(_request, text, parsed) => parsed(null, new URLSearchParams(text as string)),
		);

		app.get('/', (request, reply) => {
			const query = queryOf(request.originalUrl);
			const selection = selectionOf(query);
			const origin = `${request.protocol}://${request.host}`;
			const note = notes.get(query.get('note') ?? '');
			const content = contentOf({ service, origin, note, selection });
			return reply.headers(pageHeaders).send(
				layout(
					content,
					{
						here: addressOf(selection),
						search: searchForm(selection),
						note: `Times in ${zoneOf(service)}`,
					},
					links,
				),
			);
		});

		app.get('/docs', (_request, reply) =>
			reply
				.headers(pageHeaders)
				.send(layout(reference(service.contract), { here: '/docs' }, links)),
		);

		const handle = formHandler(app, service, notes);
		for (const [section, ofSection] of Object.entries(actions)) {
			for (const [action, run] of Object.entries(ofSection)) {
				app.post(`${actionsPath}/${action}`, handle(section, action, run));
			}
		}
		done();
	};
