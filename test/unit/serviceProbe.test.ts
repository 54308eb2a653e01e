import { idOf, shapeOf } from '../../nodes/MessagingService/resources/service/probe';

test.each([
	[{ problem: 'status 404', content: '<html>' }, 'status 404'],
	[{ content: '<!DOCTYPE html><h1>Ann Example</h1>' }, 'a web page'],
	[{ content: 'Ann Example' }, 'a response that is no JSON object'],
	[{ content: 7 }, 'a response that is no JSON object'],
	[{ content: ['Ann Example'] }, 'a JSON array'],
	[{ content: { data: [], 'Ann Example': 1 } }, 'a JSON object with data'],
	[{ content: {} }, 'a JSON object with no fields'],
])('a response is described without its words: %j', (look, shape) => {
	expect(shapeOf(look)).toBe(shape);
});

test.each([
	[{ newId: 'm1', id: 7, storageID: 'a' }, 'm1'],
	[{ id: 7, storageID: 'a' }, 7],
	[{ storageID: 'a', number: '1' }, 'a'],
	[{ number: '1' }, '{"number":"1"}'],
])('%j is recognized by its ID, or by all that it has', (record, id) => {
	expect(idOf(record)).toBe(id);
});
