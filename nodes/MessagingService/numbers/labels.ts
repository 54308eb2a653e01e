/** Words that people put beside a phone number to say what kind it is. A fax is no such kind. */
const WORDS = [
	'tel|tél|telephone|telefon|telefono|teléfono|téléphone|telefone|telefoon|telefonnummer|phone|ph|fon|fono',
	'mobile|mob|mobil|mobiel|móvil|movil|celular|cellulare|cel|cell|cellphone|handy|gsm|portable|port',
	'home|work|office|main|direct|landline|private|privat|privé|business|daytime|evening',
	'casa|trabajo|trabalho|lavoro|ufficio|maison|bureau|travail|büro|arbeit|zuhause|werk|thuis',
	'whatsapp|wa|sms|text|imessage|iphone|number|contact',
].join('|');

/** Not before another word: "no SMS" is no label. */
const NUMBER_SIGN = String.raw`(?:no|nr|num)\.|n[°º]|№`;

/** With a sign that separates them from the number, because they can also be a digit that was misread. */
const LETTERS = '[pmtchw]';

const BEFORE = new RegExp(
	String.raw`^[([]?(?:(?:${WORDS})(?:[ /-](?:${WORDS}))*[)\]]?[ .:=-]+|(?:${NUMBER_SIGN}|${LETTERS}[)\]]?[.:=]|${LETTERS}[)\]]) *)(?=[+(\d])`,
	'iu',
);
const AFTER = new RegExp(
	String.raw`(?<=\d[ )]*)(?: *[([] *(?:${WORDS}|${LETTERS})(?: (?:${WORDS}))*\.? *[)\]]|[ ,;:-]+(?:${WORDS})\.?)$`,
	'iu',
);

/** The text without a word before or after the number that says no more than what kind it is. */
export function withoutLabel(text: string): string {
	return text.replace(BEFORE, '').replace(AFTER, '').replace(CARRIER, '$1').trim();
}

/** (0xx11) 91234-5678: how Brazil writes "the code of any carrier". */
const CARRIER = /^(\(? *0) *xx(?=[ )-]*\d)/i;

/** Whether other words stand before or after what can be a number. */
export function hasOtherText(text: string): boolean {
	const number = text.replace(/^[^\d+]*\p{L}[^\d+]*[\s:(]|[\s:(,;][^\d+]*\p{L}[^\d+]*$/gu, '');
	return !/\p{L}/u.test(number) && number.replace(/\D/g, '').length >= 9;
}
