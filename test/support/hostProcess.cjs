const { fork } = require('node:child_process');

/**
 * Runs what tests share in a process of its own (testHost.mts), for Jest's global setup and
 * teardown; its description goes to the environment variable `variable`.
 */
exports.startHost = async function startHost(file, variable) {
	const child = fork(file, ['--report'], {
		execArgv: ['--disable-warning=ExperimentalWarning'],
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const host = await new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('error', reject);
		child.once('exit', (code) => {
			reject(new Error(`What the tests share did not start (exit code ${code}).`));
		});
	});
	process.env[variable] = JSON.stringify(host);
	return child;
};

/** Stops it, and waits until it has ended. */
exports.stopHost = async function stopHost(child) {
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	await ended;
};
