import ts from 'typescript';
import { changesOf } from '../../scripts/mutations.mts';
import { withSwitches } from '../../scripts/mutationSwitches.mts';

const CODE = `
	function tell({ 0: first }, rest) {
		const said = [];
		const say = (word) => said.push(word);
		if (rest?.text.trim().length > 2) say('long');
		else say(first ?? 'none');
		return said.join();
	}
	return [tell(['a'], { text: ' bc ' }), tell([])].join(' ');
`;

/** What the code comes to with a change switched on. */
function outcome(active?: number): unknown {
	const source = ts.createSourceFile('code.ts', CODE, ts.ScriptTarget.Latest, true);
	const decided__ = (whenTrue: number, whenFalse: number, value: unknown) =>
		active === whenTrue || (active !== whenFalse && value);
	const switches = { isChanged__: (id: number) => id === active, decided__ };
	Object.assign(globalThis, { [Symbol.for('mutation')]: switches });
	try {
		return new Function(withSwitches(source, 7))();
	} catch {
		return 'error';
	}
}

describe('Mutation tests', () => {
	afterEach(() => Reflect.deleteProperty(globalThis, Symbol.for('mutation')));

	it('change nothing while no switch is on', () => {
		expect(outcome()).toBe('a none');
	});

	it('make each change by its own switch', () => {
		const source = ts.createSourceFile('code.ts', CODE, ts.ScriptTarget.Latest, true);
		const outcomes = changesOf(source).map(({ mutation }, index) => [
			mutation.what,
			outcome(7 + index),
		]);
		expect(outcomes).toEqual([
			['0 -> 1', 'none none'],
			['rest?.text.trim().length > 2 -> true', 'long long'],
			['rest?.text.trim().length > 2 -> false', 'a none'],
			['> -> >= in rest?.text.trim().length > 2', 'long none'],
			['rest?.text.trim() -> rest?.text', 'long none'],
			['2 -> 3', 'a none'],
			["say('long'); -> nothing", 'a none'],
			["say(first ?? 'none'); -> nothing", ' '],
			["first ?? 'none' -> 'none'", 'none none'],
			["tell(['a'], { text: ' bc ' }) -> tell({ text: ' bc ' }, ['a'])", 'error'],
		]);
	});
});
