/** In each test file of Jest: which functions of the package it runs, for scripts/mutation.mts. */
const { Session } = require('node:inspector');
const { appendFileSync } = require('node:fs');
const path = require('node:path');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });

afterAll(() => {
	session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
		const functions = result.flatMap(({ url, functions: all }) => {
			const file = path.relative(process.cwd(), url.replace(/^file:\/\//, ''));
			if (!/^(nodes|credentials)\//.test(file)) return [];
			return all
				.filter(({ ranges }) => ranges[0].count > 0)
				.map(({ functionName }) => `${file}#${functionName.replace(/^[gs]et /, '')}`);
		});
		const test = path.relative(process.cwd(), expect.getState().testPath);
		const line = JSON.stringify({ test, functions: [...new Set(functions)] });
		appendFileSync(process.env.RECORD_COVERAGE, `${line}\n`);
	});
	session.disconnect();
});
