import { pick } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { runAction } from '../support/engine';
import {
	credentialFor,
	pairs,
	properties,
	respond,
	validParameters,
} from '../support/everyOperation';
import type { LocalServer } from '../support/servers';
import { startServer } from '../support/servers';

/** Somebody twice and a landline; the same with a cell that is no number. */
const LISTS = [
	['+447700900123', '07700 900123', '+442079460123'],
	['+447700900123', '0770', '+442079460123'],
].map((numbers) => numbers.map((phoneNumber) => ({ phoneNumber, number: phoneNumber })));

let service: LocalServer;
beforeAll(async () => {
	service = await startServer((request, response) => {
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify(respond(request)));
	});
});
afterAll(async () => {
	await service.close();
});

/** What a node sends and gives out, for each of the lists. */
async function run(parameters: IDataObject) {
	const results: unknown[] = [];
	for (const items of LISTS) {
		service.received.length = 0;
		const file = items.map(({ number }) => number).join('\n');
		const result = await runAction({
			credential: {
				...{ baseUrl: service.url, authentication: 'none', defaultCountry: 'GB' },
				...credentialFor(parameters),
			},
			...{ parameters, items },
			files: items.map(() => Buffer.from(`phoneNumber\n${file}\n`)),
		});
		const requests = service.received.map(({ method, url, body }) => ({ method, url, body }));
		const json = result.items.map((item) => item.json);
		results.push({ requests, json, error: result.error?.message });
	}
	return results;
}

/** The operation with the numbers of the lists, in a file where the options are those of a file. */
function listed(pair: IDataObject, collection: string): IDataObject {
	const parameters = validParameters(pair);
	const source = collection === 'fileOptions' ? 'file' : 'inputItems';
	const changes = {
		...{ contactsSource: source, phoneNumbersSource: source },
		...{ phoneNumberField: 'phoneNumber', phoneNumber: '={{ $json.phoneNumber }}' },
	};
	return { ...parameters, ...pick(changes, [...Object.keys(parameters), 'phoneNumberField']) };
}

const isShown = ({ displayOptions: { show } = {} }: INodeProperties, pair: IDataObject) =>
	show?.resource?.includes(pair.resource as string) === true &&
	show.operation?.includes(pair.operation as string) === true;

/** Options that have a value when they are added, but for those that ask for a page, or an entry. */
const options = pairs.flatMap((pair) =>
	properties
		.filter(({ name }) => name === 'options' || name === 'fileOptions')
		.filter((field) => isShown(field, pair))
		.flatMap(({ name: collection, options: members = [] }) =>
			(members as INodeProperties[])
				.filter(({ name, type }) => type !== 'fixedCollection' && !name.startsWith('page'))
				.filter(({ default: initial }) => initial !== '')
				.map(({ name, default: initial }) => ({ pair, collection, name, initial })),
		),
);

it.each(
	options.map((option) => [
		`${option.pair.resource} ${option.pair.operation}: ${option.collection}.${option.name}`,
		option,
	]),
)('an option that is added as it comes changes nothing: %s', async (_, option) => {
	const { pair, collection, name, initial } = option as (typeof options)[number];
	const parameters = listed(pair, collection);
	const added = { ...parameters, [collection]: { [name]: initial } };
	expect(await run(added)).toEqual(await run(parameters));
});
