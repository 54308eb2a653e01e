import axios from 'axios';
import { ServiceClient } from '../../../host/serviceClient.ts';
import { useSandbox } from '../setup';

const sandbox = useSandbox();

test('the log of requests is read to its end, however long it is', async () => {
	const { url, apiKey } = sandbox();
	const path = '/api/Campaigns';
	let open = 10_005;
	const ask = async () => {
		while (open-- > 0) await axios.get(url + path, { headers: { 'X-Api-Key': apiKey } });
	};
	await Promise.all(Array.from({ length: 20 }, ask));

	const client = new ServiceClient(url, apiKey);
	const { total, items } = await client.requests('GET', path, 10_000);
	expect([total, items.length]).toEqual([10_005, 5]);
}, 120_000);
