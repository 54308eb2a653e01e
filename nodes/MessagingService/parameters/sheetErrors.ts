/** What a cell shows in place of a value, in the languages of Excel, Google Sheets and LibreOffice. */
const ERRORS = new Set(
	[
		'#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #ERROR! #FIELD! #BLOCKED! #BUSY!',
		'#CONNECT! #UNKNOWN! #PYTHON! #GETTING_DATA #EXTERNAL!',
		// German, French
		'#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #FEHLER! #KALK!',
		'#VALEUR! #NOM? #NOMBRE! #NUL! #PROPAGATION! #CALCUL! #ERREUR!',
		// Spanish, Portuguese, Italian
		'#N/D #¡VALOR! #¡REF! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO! #¡DESBORDAMIENTO! #¡ERROR! #¡CALC!',
		'#VALOR! #NOME? #NÚM! #NULO! #DESPEJAR! #DESPEJO! #N/DISP #N/DISP! #ERRO!',
		'#VALORE! #RIF! #NULLO! #ESPANSIONE! #ERRORE!',
		// Dutch, Polish, Czech, Hungarian
		'#N/B #WAARDE! #VERW! #NAAM? #DEEL/0! #GETAL! #LEEG! #OVERLOOP!',
		'#ARG! #ADR! #NAZWA? #DZIEL/0! #LICZBA! #ZERO! #ROZLANIE! #BŁĄD!',
		'#NENÍ_K_DISPOZICI #HODNOTA! #ODKAZ! #NÁZEV? #DĚLENÍ_NULOU! #ČÍSLO! #PŘESAH!',
		'#HIÁNYZIK #ÉRTÉK! #HIV! #NÉV? #ZÉRÓOSZTÓ! #SZÁM! #NULLA! #KIBONTÁS!',
		// Swedish, Danish, Norwegian, Finnish
		'#SAKNAS! #SAKNAS #VÄRDEFEL! #REFERENS! #NAMN? #DIVISION/0! #OGILTIGT! #SKÄRNING!',
		'#I/T #VÆRDI! #REFERENCE! #NAVN? #NUL! #OVERLØB! #VERDI! #OVERFLYT!',
		'#PUUTTUU! #PUUTTUU #ARVO! #VIITTAUS! #NIMI? #JAKO/0! #LUKU! #TYHJÄ!',
		// Russian, Turkish, Greek
		'#Н/Д #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ДЕЛ/0! #ЧИСЛО! #ПУСТО! #ПЕРЕНОС! #ОШИБКА!',
		'#YOK #DEĞER! #BAŞV! #AD? #SAYI/0! #SAYI! #BOŞ! #TAŞMA! #HATA!',
		'#Δ/Υ #ΤΙΜΗ! #ΑΝΑΦ! #ΟΝΟΜΑ? #ΔΙΑΙΡ/0! #ΑΡΙΘ! #ΚΕΝΟ!',
		'Loading... Loading…',
	]
		.join(' ')
		.split(' '),
);

/** A number that is too wide for its column, an error of LibreOffice, a cell that is being computed. */
const OTHERS =
	/^(?:#{4,}|Err:\d{3}|(?:Chargement|Cargando|Carregando|Caricamento|Wird geladen|Laden|Wczytywanie|Загрузка|Yükleniyor)[^.…\n]{0,20}(?:\.\.\.|…))$/i;

/** Whether a cell holds nothing but an error of the sheet. */
export function isSheetError(cell: string): boolean {
	return ERRORS.has(cell) || OTHERS.test(cell);
}

/** Errors that nobody writes as a word of a text; hashtags such as #NAME are not among them. */
export const UNMISTAKABLE_ERROR =
	/#(?:N\/A|REF!|VALUE!|DIV\/0!|NULL!|SPILL!|WERT!|BEZUG!|VALEUR!|¡(?:VALOR|REF)!|ЗНАЧ!|ССЫЛКА!)/u;
