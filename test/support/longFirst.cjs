const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take half a minute or more, the longest first. A clone in which nothing has run yet knows
 * only the size of each file, and would leave some of them, and an idle core, to the end.
 */
const LONG = ['promisesOfTriggers', 'jobForms', 'jobRuns', 'retries'];

const placeOf = (test) => {
	const place = LONG.indexOf(path.basename(test.path, '.test.ts'));
	return place === -1 ? LONG.length : place;
};

module.exports = class LongFirst extends Sequencer {
	sort(tests) {
		return super.sort([...tests]).sort((one, other) => placeOf(one) - placeOf(other));
	}
};
