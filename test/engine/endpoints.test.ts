import { readEndpoints } from '../../scripts/endpoints.mts';
import { pairs } from '../support/everyOperation';

it('every operation has an endpoint in openapi.yaml, and every endpoint an operation', () => {
	const used = readEndpoints().map(({ usedBy }) => usedBy);
	expect(used.filter(({ length }) => length === 0)).toEqual([]);
	const names = pairs.map(({ resource, operation }) => `${resource} ${operation}`);
	// The check of the service reads most of them.
	expect([...new Set(used.flat())].sort()).toEqual([...names, 'service check'].sort());
});
