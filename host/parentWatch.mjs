/** Loaded into the servers we start: when whoever started them is gone without a word, they end. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
