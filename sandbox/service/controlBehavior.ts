import type { FastifyInstance } from 'fastify';
import { object, whole } from './controlSchema.ts';
import { problem } from './errors.ts';
import type { Service } from './service.ts';
import { changeSettings } from './steering.ts';

/** How the sandbox behaves: settings and faults. */
export const controlBehavior = (service: Service, app: FastifyInstance): void => {
	const { faults, settings } = service;

	app.get('/settings', () => settings.current);
	app.patch('/settings', ({ body }) => changeSettings(service, body));

	app.get('/faults', () => ({ items: faults.list() }));
	app.post('/faults', ({ body }, reply) => reply.code(201).send(faults.add(body)));
	app.delete('/faults', (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});
	app.delete<{ Params: { id: number } }>(
		'/faults/:id',
		{ schema: { params: object({ id: whole }) } },
		({ params: { id } }, reply) => {
			if (!faults.clear(id)) throw problem(404, `There is no fault ${String(id)}.`);
			return reply.code(204).send();
		},
	);
};
