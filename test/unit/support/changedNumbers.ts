/**
 * Numbers of one person in two spellings: of every country that has given its subscribers other
 * numbers since 2016, and of those where people write one number in two ways. They were found by
 * comparing libphonenumber's plans of November 2016 with today's: docs/development/phone-numbers.md.
 *
 * `one`: certainly one person. `maybe`: the older spelling can be somebody else's number today, or
 * does not tell which of several numbers it has become.
 */
type Change = readonly [
	country: string,
	was: string,
	is: string,
	verdict: 'one' | 'maybe',
	source: string,
];

const BRAZIL = 'Anatel, Resolução 553/2010; the last states followed in November 2016';
const IVORY_COAST = 'ARTCI: from 8 to 10 digits on 31 January 2021';
const VIETNAM = 'MIC: mobile codes of 10 digits from 15 September 2018';
const VIETNAM_FIXED = 'MIC: area codes 2xx, completed on 31 August 2017';
const GABON = 'RFI 2019-11-15: the 0 becomes 6, 7 or, for fixed lines, 1';
const KOSOVO = 'ITU: +383 from 15 December 2016, the only one from 2019';
const NIGERIA = 'NCC: fixed lines with 02 before the number from 1 January 2024';
const MANILA = 'NTC Memorandum Order 10-10-2017: eight digits from 6 October 2019';
const PALESTINE = 'ITU: +970; the operators are also reached by +972';

export const CHANGED_NUMBERS: readonly Change[] = [
	['Argentina', '+5491123456789', '+541123456789', 'one', 'ENACOM: the 9 is for calls from abroad'],
	[
		'Benin',
		'+22997000001',
		'+2290197000001',
		'one',
		'ARCEP Benin: 01 before all from 30 November 2024',
	],
	['Brazil', '+551181234567', '+5511981234567', 'one', BRAZIL],
	['Brazil', '+552196123456', '+5521996123456', 'one', BRAZIL],
	['Brazil', '+558499999999', '+5584999999999', 'one', BRAZIL],
	['Brazil, a number of Nextel', '+551178123456', '+5511978123456', 'maybe', BRAZIL],
	[
		'Colombia, fixed',
		'+5712345678',
		'+576012345678',
		'one',
		'CRC: 60 before the area from 1 September 2021',
	],
	['Gabon, Airtel', '+24107412345', '+24177412345', 'one', GABON],
	['Gabon, Airtel without 0', '+2417412345', '+24177412345', 'one', GABON],
	['Gabon, Libertis', '+24106031234', '+24166031234', 'one', GABON],
	['Gabon, fixed', '+24101441234', '+24111441234', 'one', GABON],
	['Ivory Coast, Orange', '+22507123456', '+2250707123456', 'one', IVORY_COAST],
	['Ivory Coast, MTN', '+22564123456', '+2250564123456', 'one', IVORY_COAST],
	['Ivory Coast, Moov', '+22501234567', '+2250101234567', 'one', IVORY_COAST],
	['Ivory Coast, fixed', '+22521234567', '+2252721234567', 'one', IVORY_COAST],
	['Ivory Coast, fixed of MTN', '+22520001234', '+2252520001234', 'one', IVORY_COAST],
	['Kosovo, Vala', '+37744123456', '+38344123456', 'one', KOSOVO],
	['Kosovo, IPKO', '+38649123456', '+38349123456', 'one', KOSOVO],
	['Kosovo, fixed', '+38138123456', '+38338123456', 'one', KOSOVO],
	['Mexico', '+5215512345678', '+525512345678', 'one', 'IFT: no 1 from 3 August 2019'],
	['Nigeria, fixed', '+23414630643', '+2342014630643', 'one', NIGERIA],
	['Palestine, Jawwal', '+972599123456', '+970599123456', 'one', PALESTINE],
	['Palestine, fixed', '+97222987654', '+97022987654', 'one', PALESTINE],
	['Philippines, Manila (PLDT)', '+6325551234', '+63285551234', 'maybe', MANILA],
	['Philippines, Manila (Globe)', '+6325551234', '+63275551234', 'maybe', MANILA],
	['Vietnam, Viettel', '+841629333999', '+84329333999', 'one', VIETNAM],
	['Vietnam, MobiFone', '+841217878888', '+84797878888', 'one', VIETNAM],
	['Vietnam, VinaPhone', '+841298222888', '+84828222888', 'one', VIETNAM],
	['Vietnam, Vietnamobile', '+841888555888', '+84588555888', 'one', VIETNAM],
	['Vietnam, Gmobile', '+841995959999', '+84595959999', 'one', VIETNAM],
	['Vietnam, Hanoi', '+84438253456', '+842438253456', 'maybe', VIETNAM_FIXED],
	['Vietnam, Ho Chi Minh City', '+84838253456', '+842838253456', 'maybe', VIETNAM_FIXED],
	['Vietnam, Ha Tinh', '+84393855123', '+842393855123', 'maybe', VIETNAM_FIXED],
	['Vietnam, Can Tho', '+847103812345', '+842923812345', 'maybe', VIETNAM_FIXED],
	['Vietnam, Kien Giang', '+84773812345', '+842973812345', 'maybe', VIETNAM_FIXED],
];

/** Neighbours that are two persons, although their numbers look like the two spellings above. */
export const TWO_PERSONS: readonly (readonly [string, string, string])[] = [
	['Brazil, a fixed line and a mobile', '+551131234567', '+5511931234567'],
	['Brazil, mobiles of two areas', '+5511981234567', '+5521981234567'],
	['Ivory Coast, mobiles of two operators', '+2250707123456', '+2250507123456'],
	['Vietnam, mobiles of two operators', '+84329333999', '+84829333999'],
	['Vietnam, fixed lines of two areas', '+842438253456', '+842838253456'],
	['Mexico, numbers that begin with 1 and without', '+525512345678', '+525512345679'],
	['Israel and Palestine, mobiles', '+972523456789', '+970593456789'],
	['Slovenia and Kosovo', '+38641123456', '+38344123456'],
	['Nigeria, a mobile', '+2348021234567', '+2349021234567'],
];
