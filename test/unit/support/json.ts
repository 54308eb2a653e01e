import fc from 'fast-check';

/** Names that mean something to JavaScript's own objects. */
const TREACHEROUS_KEYS = ['__proto__', 'constructor', 'toString', 'valueOf', 'toJSON', 'length'];

const scalar = fc.oneof(
	fc.constantFrom('null', 'true', 'false', '0', '1', '-1', '1.5', '1e21', '""'),
	fc.integer().map(String),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
	fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);

/** An object's JSON text; a field named `__proto__` stays a field. */
export function objectText(fields: readonly (readonly [string, string])[]): string {
	const unique = new Map(fields);
	return `{${[...unique].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;
}

/** Texts of JSON values of every kind; `keys` and `texts` are names and values of interest. */
export function anyJsonText(
	keys: readonly string[],
	texts: readonly string[] = [],
): fc.Arbitrary<string> {
	const key = fc.oneof(fc.constantFrom(...keys, ...TREACHEROUS_KEYS), fc.string());
	const leaf = texts.length === 0 ? scalar : fc.oneof(scalar, fc.constantFrom(...texts));
	const { value } = fc.letrec<{ value: string }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4, withCrossShrink: true },
			leaf,
			fc.array(tie('value'), { maxLength: 4 }).map((entries) => `[${entries.join()}]`),
			fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(objectText),
		),
	}));
	return value;
}

/** JSON values of every kind, as a parser gives them. */
export function anyJson(
	keys: readonly string[] = ['a', 'b'],
	texts: readonly string[] = [],
): fc.Arbitrary<unknown> {
	return anyJsonText(keys, texts).map((text) => JSON.parse(text) as unknown);
}
