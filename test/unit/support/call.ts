import get from 'lodash/get';
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { ReadCall } from '../../../nodes/MessagingService/resources/operation';
import { ParameterReader } from '../../../nodes/MessagingService/parameters/reader';
import type { ServiceClient } from '../../../nodes/MessagingService/transport/request';
import type { ServiceSettings } from '../../../nodes/MessagingService/transport/settings';

/** A node's fields as a test sets them. */
export interface NodeFields {
	/** Values of the fields, the same for all items unless `perItem` says otherwise. */
	parameters?: IDataObject;
	/** Values of a field for each item, as an expression gives them. */
	perItem?: Readonly<Record<string, readonly unknown[]>>;
	/** Input items. */
	items?: IDataObject[];
	timezone?: string;
	settings?: Partial<ServiceSettings>;
}

/** Settings of a credential without "Service Conventions". */
export const defaultSettings: ServiceSettings = {
	baseUrl: 'https://service.example.com',
	clientId: '1001',
	clientIdPlace: 'query',
	pageIndexParameter: 'pageIndex',
	pageSizeParameter: 'pageSize',
	defaultCountry: '',
	timeZone: '',
	webhookToken: undefined,
};

/** A client of which only the settings are used. */
export function clientWith(settings: Partial<ServiceSettings> = {}): ServiceClient {
	const unused = async () => {
		throw new Error('This test sends nothing');
	};
	return {
		settings: { ...defaultSettings, ...settings },
		concurrency: 1,
		record: unused,
		page: unused,
		records: unused,
		anything: unused,
		post: unused,
	};
}

/** What an operation gets for all the items of a node with these fields. */
export function callWith(fields: NodeFields): ReadCall {
	const { parameters = {}, perItem = {}, items = [{}], timezone = 'UTC', settings } = fields;
	const expressions = Object.fromEntries(
		Object.keys(perItem).map((name) => [name, '={{ $json.value }}']),
	);
	const node: INode = {
		id: '1',
		name: 'Messaging Service',
		type: 'messagingService',
		typeVersion: 1,
		position: [0, 0],
		parameters: { ...parameters, ...expressions } as INode['parameters'],
	};
	// Like n8n's: a path leads into a collection.
	const getNodeParameter = (path: string, index: number, fallback?: unknown) => {
		const [name = ''] = path.split('.');
		const values = name in perItem ? { [name]: perItem[name]?.[index] } : parameters;
		return get(values, path, fallback);
	};
	const context = {
		getNode: () => node,
		getNodeParameter,
		getTimezone: () => timezone,
		getInputData: () => items.map((json) => ({ json })),
	} as unknown as IExecuteFunctions;
	const itemIndexes = items.map((_, index) => index);
	return {
		context,
		client: clientWith(settings),
		parameters: new ParameterReader(context, itemIndexes),
		itemIndexes,
	};
}
