import { lookAtText } from '../../nodes/MessagingService/parameters/textForPeople';
import { REFUSED, WARNED } from './support/badTexts';
import { ORDINARY_NAMES, ORDINARY_TEXTS } from './support/ordinaryTexts';

describe('a text that nobody means to send is refused', () => {
	it.each(REFUSED)('%j: %s', (text, problem, _source, origin = {}) => {
		const { refused, warnings } = lookAtText(text, origin);
		expect(refused?.problem).toBe(problem);
		expect(refused?.advice).toMatch(/\.$/);
		expect(warnings).toEqual([]);
	});
});

it.each([
	['User ID: [object Object]', 'Choose one of its fields'],
	['Zo\ufffd, your table is free', 'set Encoding to Latin1'],
	['Due on Invalid Date', 'DateTime.fromFormat'],
])('%j: what to do is said', (text, advice) => {
	expect(lookAtText(text, {}).refused?.advice).toContain(advice);
});

describe('a cell that holds an error of a sheet is no text, whatever the language of the sheet', () => {
	it.each([
		['English', '#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A Loading...'],
		['German', '#NULL! #DIV/0! #WERT! #BEZUG! #NAME? #ZAHL! #NV'],
		['French', '#NUL! #DIV/0! #VALEUR! #REF! #NOM? #NOMBRE! #N/A Chargement...'],
		['Spanish', '#¡NULO! #¡DIV/0! #¡VALOR! #¡REF! #¿NOMBRE? #¡NUM! #N/D Cargando...'],
		['Portuguese', '#NULO! #DIV/0! #VALOR! #REF! #NOME? #NÚM! #N/D Carregando...'],
		['Italian', '#NULLO! #DIV/0! #VALORE! #RIF! #NOME? #NUM! #N/D Caricamento…'],
		['Dutch', '#LEEG! #DEEL/0! #WAARDE! #VERW! #NAAM? #GETAL! #N/B Laden...'],
		['Polish', '#ZERO! #DZIEL/0! #ARG! #ADR! #NAZWA? #LICZBA! #N/D Wczytywanie...'],
		['Czech', '#DĚLENÍ_NULOU! #HODNOTA! #ODKAZ! #NÁZEV? #ČÍSLO! #NENÍ_K_DISPOZICI'],
		['Hungarian', '#NULLA! #ZÉRÓOSZTÓ! #ÉRTÉK! #HIV! #NÉV? #SZÁM! #HIÁNYZIK'],
		['Swedish', '#SKÄRNING! #DIVISION/0! #VÄRDEFEL! #REFERENS! #NAMN? #OGILTIGT! #SAKNAS!'],
		['Danish', '#NUL! #DIVISION/0! #VÆRDI! #REFERENCE! #NAVN? #NUM! #I/T'],
		['Norwegian', '#NULL! #DIV/0! #VERDI! #REF! #NAVN? #NUM! #I/T'],
		['Finnish', '#TYHJÄ! #JAKO/0! #ARVO! #VIITTAUS! #NIMI? #LUKU! #PUUTTUU!'],
		['Russian', '#ПУСТО! #ДЕЛ/0! #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ЧИСЛО! #Н/Д Загрузка...'],
		['Turkish', '#BOŞ! #SAYI/0! #DEĞER! #BAŞV! #AD? #SAYI! #YOK Yükleniyor...'],
		// What newer sheets, and Google's, also show.
		['English', '#SPILL! #CALC! #FIELD! #BLOCKED! #BUSY! #CONNECT! #UNKNOWN! #PYTHON! #ERROR!'],
		['English', '#GETTING_DATA #EXTERNAL! Loading…'],
		['German, French', '#ÜBERLAUF! #FEHLER! #KALK! #PROPAGATION! #CALCUL! #ERREUR!'],
		['Spanish', '#¡DESBORDAMIENTO! #¡ERROR! #¡CALC!'],
		['Portuguese, Italian', '#DESPEJAR! #DESPEJO! #N/DISP #N/DISP! #ERRO! #ESPANSIONE! #ERRORE!'],
		['Dutch, Polish, Czech', '#OVERLOOP! #ROZLANIE! #BŁĄD! #PŘESAH!'],
		['Hungarian, Swedish, Finnish', '#KIBONTÁS! #SAKNAS #PUUTTUU'],
		['Danish, Norwegian', '#OVERLØB! #OVERFLYT!'],
		['Russian, Turkish', '#ПЕРЕНОС! #ОШИБКА! #TAŞMA! #HATA!'],
		['any, in LibreOffice', 'Err:502 Err:522 ####'],
		['Greek', '#ΚΕΝΟ! #ΔΙΑΙΡ/0! #ΤΙΜΗ! #ΑΝΑΦ! #ΟΝΟΜΑ? #ΑΡΙΘ! #Δ/Υ'],
	])('%s: %s', (_, errors) => {
		const cells = errors.split(' ');
		expect(cells.filter((cell) => lookAtText(cell, {}).refused === undefined)).toEqual([]);
		const inText = (name: string) =>
			lookAtText(`Hi ${name}, see you`, {
				item: { name },
				written: '=Hi {{ $json.name }}, see you',
			});
		expect(cells.filter((cell) => inText(cell).refused === undefined)).toEqual([]);
	});
});

describe('a text that looks wrong is sent, with a warning', () => {
	it.each(WARNED)('%j: %s', (text, says, _source, origin = {}) => {
		const { refused, warnings } = lookAtText(text, origin);
		expect(refused).toBeUndefined();
		expect(warnings.map(({ problem }) => problem)).toEqual([expect.stringContaining(says)]);
		expect(warnings[0]?.advice).toMatch(/^$|\.$/);
	});

	it('also with blanks and line breaks around it', () => {
		const missed = WARNED.filter(([text, says, , origin = {}]) => {
			const { warnings } = lookAtText(`\n ${text} \n`, origin);
			return !warnings.some(({ problem }) => problem.includes(says));
		});
		expect(missed).toEqual([]);
	});
});

it.each([
	['signs', '- -- – — _ . ? * / \\\\ - -'],
	['words for none', 'n/a N/A N/a NA N.A. NIL NAN none NONE TBD'],
	['somebody unknown', 'unknown Unknown UNKNOWN unbekannt Unbekannt inconnu Inconnue'],
	['somebody unknown, further south', 'desconocido Desconocida sconosciuto Sconosciuta'],
	['a try', 'test Test tests TEST test1 TEST2 asdf xxx XXX xxxxx'],
	['a number', '1 12345 07700-900123 1.5 2/3'],
])('a name that is none is found: %s (%s)', (_, names) => {
	for (const name of names.split(' ')) {
		const { warnings } = lookAtText(name, { isName: true });
		expect(warnings.map(({ problem }) => problem)).toEqual([`contains no name (${name})`]);
	}
});

it('a request to reply is found with each verb and each word', () => {
	const verbs =
		'Reply|Text|Txt|TEXT|Send|Antworte|Antworten Sie|Répondez|Réponds|Respond|Responde|Responda|Rispondi';
	const words =
		'STOP stop END YES Yes NO Y N HELP START JA NEIN OUI NON SI SÍ BAJA SAIR SIM TAK NIE';
	const texts = [
		...verbs.split('|').map((verb) => `${verb} STOP`),
		...words.split(' ').map((word) => `please reply ${word}`),
		...'back with mit par avec con com met'.split(' ').map((link) => `Reply ${link} STOP`),
		...'to for if um für pour para per'.split(' ').map((link) => `Reply 2 ${link} x`),
		...'opt end quit cancel unsub'.split(' ').map((what) => `STOP to ${what}`),
	];
	const missed = texts.filter((text) => lookAtText(text).warnings.length !== 1);
	expect(missed).toEqual([]);
});

it('a greeting of nobody is found in capitals and in small letters', () => {
	for (const [text] of WARNED.filter(([, says]) => says.startsWith('a greeting of nobody'))) {
		for (const written of [text.toUpperCase(), text.toLowerCase()]) {
			const { warnings } = lookAtText(written, {});
			expect([written, warnings[0]?.problem]).toEqual([
				written,
				expect.stringContaining('a greeting of nobody'),
			]);
		}
	}
});

describe('digits are a date of a sheet only if they are all of a cell with a date', () => {
	it.each(['Order 462051 is ready', 'Order 146205 is ready', 'You owe 1.46205 EUR'])(
		'%s, where the date is 46205',
		(text) => {
			const item = { text, date: 46205 };
			expect(lookAtText(text, { item, written: '={{ $json.text }}' })).toEqual({ warnings: [] });
		},
	);
});

describe('an ordinary text passes, from an agent as well', () => {
	it('there are 300 of them, from ten languages', () => {
		expect(ORDINARY_TEXTS.length).toBeGreaterThanOrEqual(300);
		expect(new Set(ORDINARY_TEXTS.map(([language]) => language)).size).toBeGreaterThanOrEqual(10);
		expect(new Set(ORDINARY_TEXTS.map(([, text]) => text)).size).toBe(ORDINARY_TEXTS.length);
	});

	it.each(ORDINARY_TEXTS)('%s: %s', (_, text) => {
		const nothing = { refused: undefined, warnings: [] };
		const item = { text, date: '27 November', order: 46205, name: 'Null' };
		for (const written of [text, '={{ $json.text }}']) {
			expect(lookAtText(text, { written, item, isFinal: true })).toEqual(nothing);
			expect(lookAtText(text, { written, item, isOfAgent: true })).toEqual(nothing);
		}
	});

	it.each(ORDINARY_NAMES)('the name %s', (name) => {
		expect(lookAtText(name, { isName: true })).toEqual({ warnings: [] });
	});
});
