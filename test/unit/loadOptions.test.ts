import { getCountries } from '../../nodes/MessagingService/methods/loadOptions';
import { regions } from '../../nodes/MessagingService/numbers/plans';

test('the menu of countries has each of those with numbers once, by name', async () => {
	const countries = await getCountries();
	expect(countries.map(({ value }) => value).sort()).toEqual([...regions()].sort());
	expect(countries).toContainEqual({ name: 'Germany', value: 'DE' });
	const names = countries.map(({ name }) => name);
	expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
});
