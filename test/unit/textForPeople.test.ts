import { lookAtText } from '../../nodes/MessagingService/parameters/textForPeople';
import { REFUSED, WARNED } from './support/badTexts';
import { ORDINARY_NAMES, ORDINARY_TEXTS } from './support/ordinaryTexts';

describe('a text that nobody means to send is refused', () => {
	it.each(REFUSED)('%j: %s', (text, problem, _source, origin = {}) => {
		const { refused, warnings } = lookAtText(text, origin);
		expect(refused?.text).toBe(problem);
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
		expect(warnings.map((each) => each.text)).toEqual([expect.stringContaining(says)]);
		expect(warnings[0]?.advice).toMatch(/^$|\.$/);
	});

	it('also with blanks and line breaks around it', () => {
		const missed = WARNED.filter(([text, says, , origin = {}]) => {
			const { warnings } = lookAtText(`\n ${text} \n`, origin);
			return !warnings.some((each) => each.text.includes(says));
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
		expect(warnings.map((each) => each.text)).toEqual([`contains no name (${name})`]);
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

/** What a program shows that takes UTF-8 for Windows-1252. */
const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text));

describe('each way to write what looks wrong is found', () => {
	const accents = 'é è ê ë à á â ä ã å æ ç ì-x í-x î ï ñ ò ó ô ö õ ø ù ú û ü ý ß ÿ';
	const capitals = 'Ä Ö Ü É È Ê Å Ø Æ Ç Ñ Ó Ô Ò Ú Î Ì Ã';
	const fields =
		'name|first name|FirstName|last_name|full-name|surname|given name|middle name|nickname|username|client name|customer_name|contact name|company name|business name|shop name|store name|your name|recipient name|patient name|guest name|product name|event name|doctor name|city name|insert name|Vorname|Nachname|Anrede|prénom|prenom|nom|nombre|apellido|apellidos|nome|cognome|sobrenome|imię|imie|nazwisko|имя|фамилия|voornaam|achternaam|ad|adı|isim|date|Datum|fecha|data|time|amount|link|URL|address|company|phone|email|order id|order_number|order no|appointment|merge_1';
	const tags = 'br p b i u strong em div span a ul li h1 h6';
	it.each([
		['wrongly decoded letters', accents.split(' ').map((each) => misread(`xx${each}xx`))],
		['wrongly decoded letters', capitals.split(' ').map((each) => misread(`${each}xxx`))],
		[
			'wrongly decoded letters',
			'It’s|Verrà domani|à demain|Shop™|‘so’|“so”|Mon–Fri|a — b|so…|• one|20 €|£5|© 2026|®|20 °C|± 5|5 m²|·|§ 5|3×4|🎉|Привет|Ура|مرحبا'
				.split('|')
				.map(misread),
		],
		['an HTML code', '&#39; &#039; &#8217; &#x27; &#xe9; &#39 &#x27'.split(' ')],
		[
			'an HTML code',
			'&amp; &lt; &gt; &quot; &apos; &nbsp; &AMP; &amp &nbsp &eacute; &egrave; &ouml; &ecirc; &ntilde; &ccedil; &Aacute; &eacute'.split(
				' ',
			),
		],
		[
			'an HTML code',
			tags
				.split(' ')
				.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}/>`, `<${tag} />`, `<${tag} id="x">`])
				.flatMap((tag) => [tag, tag.toUpperCase()]),
		],
		[
			'an escape code',
			String.raw`so\nSo|so\rSo|so\tSo|so\n|so,\nso|so.\nso|so!\nso|so?\nso|so;\nso|so/nSo|Zo\u00eb|Zo\u00EB|it\'s|\"so\"|so%20so|so%27so|so%2Cso|so%21so|so%0Aso|so%0aso|so%0Dso|so%0dso|%22so%22|caf%C3%A9`.split(
				'|',
			),
		],
		[
			'a placeholder',
			fields
				.split('|')
				.flatMap((name) => [`[${name}]`, `{${name}}`, `%${name}%`, `#${name}#`, `<${name}>`]),
		],
		[
			'a placeholder',
			'{{name}}|{{ name }}|${name}|${ name }|[some_thing]|{some_thing}|{some.thing}|{some=thing}|%some_thing%|% some.thing%|((name))|(( your name ))|[[name]]|<<name>>|{% if so %}|::name::|*|NAME|*'
				.split(/(?<!\*)\|(?!\*|NAME)/)
				.map((text) => `Hello ${text}`),
		],
		[
			'an error of a spreadsheet',
			'#N/A #REF! #VALUE! #DIV/0! #NULL! #SPILL! #WERT! #BEZUG! #VALEUR! #¡VALOR! #¡REF! #ЗНАЧ! #ССЫЛКА!'
				.split(' ')
				.map((error) => `At ${error} today`),
		],
		[
			'a time as programs write it',
			'2026-11-27T09:00|2026-11-27 09:00:00|20261127T090000'.split('|'),
		],
		[
			'a time as programs write it',
			'Mon Tue Wed Thu Fri Sat Sun'
				.split(' ')
				.flatMap((day) => [`${day} Nov 07 2026 09:00:00`, `${day}, 7 Nov 2026 09:00:00`]),
		],
		[
			'a number as programs write it',
			'0.3000000000000004 0,3000000000000004 1e+21 4.4e-7 4,47E+11 761591733749525100'.split(' '),
		],
		['a formula', ['=so', '  =so']],
		[
			'a link that works only for you',
			'localhost localhost:5678 127.0.0.1 127.1.2.3 0.0.0.0 [::1] 10.1.2.3 192.168.1.2 host.docker.internal n8n.example.com/webhook-test/x n8n.example.com/form-test/x'
				.split(' ')
				.flatMap((host) => [`http://${host}`, `https://${host}`]),
		],
	])('%s (%#)', (what, texts) => {
		const missed = texts.filter((text) => {
			const problems = lookAtText(text).warnings.map((each) => each.text);
			return problems.length !== 1 || !problems[0]?.startsWith(`contains ${what} (`);
		});
		expect(missed).toEqual([]);
	});

	const openings =
		"Here's|Here’s|Here is|Here are|Below is|Hier ist|Voici|Aquí tienes|Aquí está|Aqui está|Ecco";
	const texts =
		'SMS|text|texts|message|messages|draft|drafts|version|versions|Nachricht|Texte|mensaje|messaggio|testo|mensagem';
	it.each([
		[
			'Markdown',
			'**so**|__so__|# So|## So|#### So|[so](http://example.com)|[so](https://example.com)|```so|`so`|Hi\n# So|Hi\n```',
		],
		['words of the assistant', openings.replace(/(?=\||$)/g, ' the SMS: Sale')],
		[
			'words of the assistant',
			'Sure|Certainly|Of course|Absolutely'.replace(/(?=\||$)/g, "! Here's the SMS: Sale"),
		],
		['words of the assistant', texts.replace(/(?<=^|\|)/g, 'Here is: ').replaceAll('is:', 'is a')],
		['words of the assistant', 'Subject|Betreff|Objet|Asunto|Oggetto'],
	])('%s, of an agent (%#)', (what, list) => {
		const missed = list.split('|').filter((each) => {
			const text = what === 'Markdown' || each.includes(': ') ? each : `${each}: Sale`;
			const { warnings } = lookAtText(text, { isOfAgent: true });
			return !warnings.some((each) => each.text.startsWith(`contains ${what} (`));
		});
		expect(missed).toEqual([]);
	});
});

it('a greeting of nobody is found in capitals and in small letters', () => {
	for (const [text] of WARNED.filter(([, says]) => says.startsWith('a greeting of nobody'))) {
		for (const written of [text.toUpperCase(), text.toLowerCase()]) {
			const { warnings } = lookAtText(written, {});
			expect([written, warnings[0]?.text]).toEqual([
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

it.each([
	['Seat None is yours', '=Seat None is {{ $json.whose }}', { cell: 'None', whose: 'yours' }],
	['See https://example.com/undefined', 'See https://example.com/undefined', {}],
	['See https://example.com/undefined', undefined, {}],
	['Sale **today**', undefined, {}],
])('what somebody means is no mistake: %s', (text, written, item) => {
	expect(lookAtText(text, { written, item })).toEqual({ warnings: [] });
});
