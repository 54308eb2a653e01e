import type { INodeProperties } from 'n8n-workflow';
import { defineOperation, fieldLabels } from '../../nodes/MessagingService/resources/define';

const field = (displayName: string, name: string, more: Partial<INodeProperties> = {}) =>
	({ displayName, name, type: 'string', default: '', ...more }) as INodeProperties;

const labelsOf = (fields: INodeProperties[]) =>
	fieldLabels(
		defineOperation({
			...{ value: 'x', name: 'X', action: 'X', description: 'X', kind: 'perItem', fields },
			returns: { fields: {} },
			run: async () => await Promise.resolve({}),
		}),
	);

test('the labels of fields are found by the names that the service uses, in any case', () => {
	expect(labelsOf([field('Sender', 'sender'), field('Call Flow ID', 'callflow_Id')])).toEqual({
		sender: 'Sender',
		callflow_id: 'Call Flow ID',
	});
});

test('fields within collections and lists have theirs, entries of menus have none', () => {
	expect(
		labelsOf([
			field('Additional Fields', 'additional', {
				type: 'collection',
				options: [field('Opt-Out Link ID', 'optOutLinkId')],
			}),
			field('Attempts', 'attempts', {
				type: 'fixedCollection',
				options: [
					{ displayName: 'Attempt', name: 'attempt', values: [field('Interval', 'interval')] },
				],
			}),
			field('Mode', 'mode', { type: 'options', options: [{ name: 'Fast', value: 'fast' }] }),
		]),
	).toEqual({
		additional: 'Additional Fields',
		optoutlinkid: 'Opt-Out Link ID',
		attempts: 'Attempts',
		attempt: 'Attempt',
		interval: 'Interval',
		mode: 'Mode',
	});
});

test('the outer of two fields with one name gives the label', () => {
	const inner = field('Inner', 'name');
	expect(labelsOf([field('Outer', 'Name'), field('More', 'more', { options: [inner] })])).toEqual({
		name: 'Outer',
		more: 'More',
	});
});
