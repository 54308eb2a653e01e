/** Stops what hostSetup.cjs has started, and waits until it has ended. */
module.exports = async function globalTeardown() {
	const { testHost: child } = globalThis;
	if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	await ended;
};
