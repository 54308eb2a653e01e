/** What not to write, and what to write instead. */
const forbidden: [pattern: RegExp, instead: string][] = [
	[/\bunder way\b|\bat once\b/i, 'in progress, simultaneously, immediately'],
	[/\bunusable\b|\b(?:cannot be used|does not fit)\b/i, 'invalid'],
	[/\bmend(?:s|ed|ing)?\b/i, 'fix'],
	[/\bpush(?:es|ed|ing)? the (?:time|clock)\b/i, 'advance the clock'],
	[/\bstand-in\b|\bstubs?\b/i, 'sandbox'],
	[/\bproviders?\b/i, 'operator'],
	[/\bwhatever\b|\bin vain\b|\bbecomes? of\b|\bnobody knows\b|\buncertain\b/i, 'say it plainly'],
	[/\baboard\b|\bpassengers?\b|\bborrow(?:s|ed)?\b/i, 'no metaphors'],
	[/\bputs? (?:it|them) back\b|\btells? the service\b/i, 'restore, register the webhook URL'],
	[/\bthe same again\b/i, 'duplicate'],
	[/\b(?:de)?activat(?:e|es|ed|ing|ion)\b(?! \(n8n 1)/i, 'publish, unpublish'],
	[/\banswers?\b/i, 'response, responds'],
];

/** Names and terms that contain such a word. */
const allowed =
	/\b(?:no|not) answer\b|\banswer (?:rate|machine detected)\b|\blocal stand-in\b|"unusable"/gi;

/** The words in a text that the glossary does not want, with what to write instead. */
export function forbiddenWords(text: string): { word: string; instead: string }[] {
	const checked = text.replace(allowed, '');
	return forbidden.flatMap(([pattern, instead]) => {
		const [word] = pattern.exec(checked) ?? [];
		return word === undefined ? [] : [{ word, instead }];
	});
}
