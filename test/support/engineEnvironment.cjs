const path = require('node:path');

// n8n-core logs every failed node to the console; the tests look at the errors themselves.
process.env.N8N_LOG_LEVEL = 'silent';

// n8n-core makes its settings file where it does not find one. Two workers that make one file at the
// same time read half of it, and the user's own n8n is none of our business.
process.env.N8N_USER_FOLDER = path.resolve(
	__dirname,
	...['..', '..', '.local', 'engine', process.env.JEST_WORKER_ID ?? '0'],
);
