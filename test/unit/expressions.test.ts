import { plainPath } from '../../nodes/MessagingService/parameters/expressions';

test.each([
	['={{ $json.name }}', 'name'],
	['={{$json.customer.first_name1}}', 'customer.first_name1'],
	['=  {{ $json._a }}  ', '_a'],
	['={{ $json.name }} and more', undefined],
	['={{ $json.name }}{{ $json.city }}', undefined],
	['Hi ={{ $json.name }}', undefined],
	['=Hi {{ $json.name }}', undefined],
	['{{ $json.name }}', undefined],
	['={{ $json.name.trim() }}', undefined],
	['={{ $json["name"] }}', undefined],
	['={{ $json. }}', undefined],
	['={{ $json.1 }}', undefined],
	['={{ $JSON.name }}', undefined],
	[7, undefined],
])('of %j the input field is %j', (value, path) => {
	expect(plainPath(value)).toBe(path);
});
