import {
	detectEncoding,
	type Encoding,
} from '../../nodes/MessagingService/recipients/file/encoding';

/** Names as they are in lists of customers, by the encoding of a sheet that is saved there. */
const NAMES: Readonly<Partial<Record<Encoding, Readonly<Record<string, string>>>>> = {
	'windows-1252': {
		German: 'Jürgen Müller|Björn Köhler|Käthe Weiß|Jörg Schröder|Günther Groß|Sören Bäcker',
		French: 'Hélène Lefèvre|François Gérard|Zoë Benoît|Chloé Dupré|Anaïs Côté|Jérôme Hébert',
		Spanish: 'José Núñez|María Gómez|Ángel Peña|Íñigo Ibáñez|Raúl Jiménez|Begoña Martín',
		Portuguese:
			'João Gonçalves|Conceição Simões|Luís Araújo|Inês Guimarães|Tomás Brandão|Antônio Falcão',
		Italian: 'Niccolò Rossi|Nicolò Forlì|Andrea Dessì|Maria Cantù|Sara Calabrò|Luca Scognà',
		Danish: 'Søren Kjær|Jørgen Østergård|Bjørn Sørensen|Åse Nygård|Mærsk Bjerregård|Lærke Højgård',
		Swedish: 'Åsa Öberg|Göran Sjöström|Märta Åkesson|Björn Lindström|Håkan Nordgård|Pär Bäckman',
		Icelandic:
			'Þórdís Guðmundsdóttir|Sigurður Jónsson|Björk Ævarsdóttir|Ásdís Þórðardóttir|Guðrún Hólm',
		'prices in euros':
			'Jürgen: 5 € statt 9 €|Zoë: 3 € statt 4 €|José: 5 € statt 9 €|Søren: 1 € statt 2 €|Åsa: 7 € statt 9 €',
		'mixed Western': 'José Núñez|Jürgen Müller|Søren Kjær|Zoë Benoît|João Simões|Åsa Öberg',
	},
	'windows-1250': {
		Polish:
			'Michał Wójcik|Łukasz Dąbrowski|Stanisław Gołąb|Małgorzata Żak|Paweł Wiśniewski|Grażyna Zięba',
		Czech: 'Antonín Dvořák|Jiří Němec|Tomáš Růžička|Kateřina Černá|Božena Němcová|Ondřej Kříž',
		Hungarian: 'László Szőke|Gábor Tóth|Erzsébet Kövér|Győző Németh|Zsófia Fülöp|Jenő Szűcs',
		Croatian:
			'Ivan Horvatić|Željka Marković|Đuro Šarić|Anđela Kovačević|Tomislav Babić|Krešimir Ćosić',
	},
	'iso-8859-2': {
		'Polish in Latin-2':
			'Michał Wójcik|Łukasz Dąbrowski|Jaś Kość|Stanisław Gołąb|Paweł Wiśniewski|Małgorzata Źdźbło',
		'Czech in Latin-2':
			'Tomáš Růžička|Šárka Žáková|Jiří Šimek|Božena Hašková|Luboš Kříž|Miloš Dvořák',
	},
	'windows-1251': {
		Russian:
			'Иван Петров|Ольга Смирнова|Дмитрий Щербаков|Наталья Ёлкина|Юрий Воробьёв|Анна Зайцева',
		Bulgarian: 'Георги Димитров|Мария Иванова|Стоян Христов|Цветелина Петрова|Юлия Ангелова',
	},
	macintosh: {
		'German on a Mac':
			'Jürgen Müller|Björn Köhler|Käthe Weiß|Jörg Schröder|Günther Groß|Sören Bäcker',
		'French on a Mac':
			'Hélène Lefèvre|François Gérard|Zoë Benoît|Chloé Dupré|Anaïs Côté|Jérôme Hébert',
		'Spanish on a Mac': 'José Núñez|María Gómez|Ángel Peña|Íñigo Ibáñez|Raúl Jiménez|Begoña Martín',
	},
	shift_jis: {
		Japanese: '佐藤 花子|鈴木 一郎|たなか ゆい|ワタナベ ケン|伊藤 翔太|山本 さくら',
	},
};

/** The bytes that an encoding has for characters: decoders know them, and Node.js has no encoder. */
function encoderOf(encoding: Encoding): (text: string) => Buffer {
	const bytesOf = new Map<string, number[]>();
	const decoder = new TextDecoder(encoding);
	const note = (bytes: number[]) => {
		const sign = decoder.decode(Uint8Array.from(bytes));
		if ([...sign].length === 1 && !bytesOf.has(sign)) bytesOf.set(sign, bytes);
	};
	for (let byte = 0; byte < 256; byte++) note([byte]);
	if (encoding === 'shift_jis') {
		for (let lead = 0x81; lead <= 0xea; lead++)
			for (let trail = 0x40; trail < 0xfd; trail++) note([lead, trail]);
	}
	return (text) =>
		Buffer.from([...text].flatMap((sign) => bytesOf.get(sign) ?? bytesOf.get('?') ?? []));
}

const asFile = (names: readonly string[]) =>
	names.map((name, row) => `+4477009001${row}0,${name}\r\n`).join('');
const languages = Object.entries(NAMES).flatMap(([encoding, lists]) =>
	Object.entries(lists).map(([language, names]) => ({
		...{ language, encoding: encoding as Encoding },
		names: names.split('|'),
	})),
);
const isRight = (encoding: Encoding, text: string) => {
	const bytes = encoderOf(encoding)(text);
	return new TextDecoder(detectEncoding(bytes).encoding).decode(bytes) === text;
};

it.each(languages)('a list of some names is read right: $language', ({ encoding, names }) => {
	const text = `phone,name\r\n${asFile(names)}`;
	const bytes = encoderOf(encoding)(text);
	const found = detectEncoding(bytes);
	expect(new TextDecoder(found.encoding).decode(bytes)).toBe(text);
	expect(text).toContain(found.guessedFrom);
	expect(detectEncoding(Buffer.from(text))).toEqual({ encoding: 'utf-8' });
});

// A euro sign after capitals of five languages is taken for another letter.
const inCapitals = languages.filter(({ language }) => language !== 'prices in euros');
it.each(inCapitals)(
	'a list of names in capitals is read right: $language',
	({ encoding, names }) => {
		const capitals = names.map((name) => name.toUpperCase());
		expect(isRight(encoding, `phone,name\r\n${asFile(capitals)}`)).toBe(true);
	},
);

it.each(['windows-1252', 'windows-1250'] as const)(
	'a list with a name of each language of %s is read right',
	(encoding) => {
		const ofEncoding = languages.filter((each) => each.encoding === encoding);
		for (const place of [0, 1, 2, 3, 4]) {
			const names = ofEncoding.map((each) => each.names[place] ?? '');
			expect([names, isRight(encoding, asFile(names))]).toEqual([names, true]);
		}
	},
);

it('of files with one name, 9 of 10 Western ones are read right, and most others', () => {
	const scores = languages.map(({ language, encoding, names }) => {
		const special = names.filter((name) => /[^ -~]/.test(name));
		const right = special.filter((name) => isRight(encoding, asFile([name])));
		return {
			language,
			isWestern: encoding === 'windows-1252',
			right: right.length,
			of: special.length,
		};
	});
	console.log(scores.map(({ language, right, of }) => `${language}: ${right} of ${of}`).join('\n'));
	const share = (list: typeof scores) =>
		list.reduce((sum, { right }) => sum + right, 0) / list.reduce((sum, { of }) => sum + of, 0);
	expect(share(scores.filter(({ isWestern }) => isWestern))).toBeGreaterThan(0.9);
	expect(share(scores.filter(({ isWestern }) => !isWestern))).toBeGreaterThan(0.6);
});

it.each(languages)(
	'what is read first of a long file may end within a character: $language',
	({ encoding, names }) => {
		for (const encode of [encoderOf(encoding), (text: string) => Buffer.from(text)]) {
			const bytes = encode(asFile(names).trimEnd());
			const whole = detectEncoding(bytes).encoding;
			for (let length = bytes.length - 9; length < bytes.length; length++) {
				const { encoding: found } = detectEncoding(bytes.subarray(0, length));
				expect({ length, found }).toEqual({ length, found: whole });
			}
		}
	},
);

it('what is read first may end within the first character that is not ASCII', () => {
	const bytes = Buffer.from('phone,name\n+447700900123,Zoë');
	expect(detectEncoding(bytes.subarray(0, -1))).toEqual({ encoding: 'utf-8' });
});

it('a file of ASCII is no guess', () => {
	expect(detectEncoding(Buffer.from('phone\n+447700900123\n'))).toEqual({ encoding: 'utf-8' });
});

it('a file with characters that were damaged before it was saved in UTF-8 is UTF-8', () => {
	const damaged = Buffer.from('phone,name\n+447700900123,Zo\ufffd\n+447700900124,J\ufffdrg\n');
	expect(detectEncoding(damaged)).toEqual({ encoding: 'utf-8' });
});
