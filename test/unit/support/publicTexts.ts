import type { TextOrigin } from '../../../nodes/MessagingService/parameters/textForPeople';

/**
 * Texts that people got, or would have got, from other projects: what should happen with each, and
 * the public report that it comes from (a project and its issue, or a page). Signs and names are as
 * reported; words around them are ours.
 */
type PublicText = [
	text: string,
	/** `placeholder`: refused for one person, a warning for a campaign, whose service may fill it in. */
	verdict: 'refused' | 'placeholder' | 'warning' | 'passes',
	source: string,
	origin?: TextOrigin,
];

const agent: TextOrigin = { isOfAgent: true };
const cell = (item: TextOrigin['item']): TextOrigin => ({ item, written: '={{ $json.text }}' });

export const PUBLIC_TEXTS: readonly PublicText[] = [
	// Placeholders that nobody filled in.
	['Hi #NAME#, your order is ready', 'warning', 'playsms/playsms#298'],
	['Hello ::subscriber.first_name::', 'warning', 'spatie/mailcoach-support#32'],
	['Dear ((fullname)), the barcamp is near', 'warning', 'comlounge/camper#176'],
	['Customer number: {{customernumber}}', 'placeholder', 'chameleon-system/chameleon-system#469'],
	['hi {leadfield=firstname}, see you soon', 'warning', 'mautic/mautic#1748'],
	[
		'Hey, *|IF:FNAME|**|FNAME|**|ELSE:|*there*|END:IF|*!',
		'warning',
		'wherebyus/general-tasks#1219',
	],
	['Dear %Customer.FullName%, thank you', 'warning', 'smartstore/SmartStoreNET#214'],
	['Hi {FIRST_NAME}, this is for you', 'warning', 'help.tatango.com/en/articles/7241700'],
	['Hi %%First Name%%, the sale is on', 'warning', 'errorstates.com/010-dear-first-name'],
	['Dear "First Name", we miss you', 'warning', 'errorstates.com/010-dear-first-name'],
	['Your order of {order_date} is on its way', 'warning', 'wp3sixty/woo-custom-emails#26'],
	[
		'[{site_title}] New customer order ({order_number}) - {order_date}',
		'warning',
		'woocommerce/woocommerce#20104',
	],
	['Dear% billing.firstname%, we have your order', 'warning', 'nopSolutions/nopCommerce#5920'],
	['Dear {{ params.billing.firstname }},', 'placeholder', 'nopSolutions/nopCommerce#5920'],
	['Dear [customer_gender] [customer_fristname]', 'warning', 'thirtybees/thirtybees#1768'],
	[
		'Buongiorno {{ user_item.name }}, ti confermiamo',
		'placeholder',
		'oc-shopaholic/oc-orders-shopaholic-plugin#141',
	],
	['{{order.data?.total_quantity ?? 0}}개', 'placeholder', 'gnuboard/g7#98'],
	['Tel. {{ order.addresses.at(0).phoneNumber }}', 'placeholder', 'shopware/shopware#4277'],
	['Hi [MERGE_FIRST_NAME] [MERGE_LAST_NAME]', 'warning', 'Mailtrain-org/mailtrain#1270'],
	['Hi {{object.name}}, your order is ready', 'placeholder', 'odoo/odoo#78486'],
	// No value, and no name.
	['undefined', 'refused', 'applivery/roadmap#164'],
	['New mail (UNDEFINED)', 'warning', 'Betterbird/thunderbird-patches#597'],
	['Ada just clicked undefined', 'warning', 'Foundry376/Mailspring#827'],
	['New message from null', 'warning', 'runbox/runbox7#581'],
	['Dear None, thank you for signing up', 'warning', 'jazzband/django-newsletter#221'],
	['Dear ada@example.com, your ticket', 'warning', 'samuelcolvin/nosht#31'],
	['Hey , welcome to the club', 'warning', 'wherebyus/general-tasks#1219'],
	[
		'<b>Notice</b>:  Undefined variable: customer_name in <b>/var/www/notify.php</b> on line <b>19</b>',
		'warning',
		'Rymera-Web-Co/wcvendors#491',
	],
	// Codes in place of characters.
	['Message from &quot;LastFirst&quot', 'warning', 'Expensify/App#9926'],
	['It&#039;s your turn', 'warning', 'benjamw/webrisk#23'],
	['see you &gt; at eight', 'warning', 'hoehermann/purple-gowhatsapp#4'],
	['Don&#039;t forget', 'warning', 'TooBug/smsGateway#2'],
	['I&#x27m a message', 'warning', 'freedomofpress/securedrop-client#175'],
	['J&#039;ai écrit 1 phrase.', 'warning', 'jappix/jappix#283'],
	['hi \\n how are you', 'warning', 'salman0ansari/whatsapp-api-nodejs#737'],
	['Hello,\\nWelcome here', 'warning', 'gabrieldwight/Whatsapp-Business-Cloud-Api-Net#48'],
	['hello abel,\\nhow are you?', 'warning', 'salman0ansari/whatsapp-api-nodejs#408'],
	['text<br>more text<br>', 'warning', 'kriskbx/whatsapp-sharing#16'],
	['Thanks%0ASee you', 'warning', 'chrishubert/whatsapp-api#209'],
	['Hi Ada/nYour table is free', 'warning', 'giuseppecastaldo/ha-addons#22'],
	[
		"Flat 1 <span class='placeholder'>address line 3</span>",
		'warning',
		'alphagov/notifications-utils#146',
	],
	['Holidays in Midi PyrÃ©nÃ©es', 'warning', 'vicchi/vaguely-rude-places#3'],
	['Banner 300Ã—250 is ready', 'warning', 'exceljs/exceljs#1271'],
	// Numbers, dates and links of machines.
	['Your total is 8812.619999999999', 'warning', 'hiteshchoudhary/paymentr-bugs#1'],
	['You paid 11,699.999999999998 SEND', 'warning', '0xsend/sendapp#1530'],
	['Do zapłaty: 2.000000000000zl', 'warning', 'chilek/lms#1631'],
	['Still to pay: $5.05999999995', 'warning', 'rxtrax/tracking#99'],
	['See you on 42912', 'warning', 'stevetarver/excel-as-json#27', cell({ date: 42912 })],
	['At 1784784205932', 'warning', 'kirodotdev/KiroCrew#235', cell({ date: 1784784205932 })],
	['From 1384058433', 'warning', 'superfeedr/documentation#9', cell({ start: '1384058433' })],
	['Generated: Thu, 21 Jan 2021 15:03:18 GMT', 'warning', 'ElmahCore/ElmahCore#86'],
	['The visit is at 20250122T090000Z', 'warning', 'spatie/calendar-links#202'],
	['On Tue May 14 2019 15:29:24 GMT-0400 (EDT)', 'warning', 'clyall/FormEmailer#11'],
	// Blanks that fill a column of a fixed width.
	['Hello abc       , the sale starts', 'warning', 'OpenInformix/IfxPy#64'],
	[
		'Confirm at http://localhost:17145/confirmation/xxxxxxxxxxxx',
		'warning',
		'sysgears/apollo-universal-starter-kit#414',
	],
	['http://localhost/confirm/2496cc75-5d06-47b0', 'warning', 'NodeBB/NodeBB#1953'],
	[
		'http://localhost:5555/auth/confirmemail?userId=41&code=CfDJ8%2Fj%2FjfFRF5kCeb%2BTrij1YY',
		'warning',
		'sphildreth/roadie#7',
	],
	// What assistants write.
	['**Serviços disponíveis**', 'warning', 'fazer-ai/agents#466', agent],
	[
		'Leia a [política de reembolso](https://example.com/r)',
		'warning',
		'fazer-ai/agents#603',
		agent,
	],
	['# Opening hours\n- Monday: 9 to 5', 'warning', 'swampratnz/community-agent#37', agent],
	// What looks odd and is meant.
	[
		'eCoupon Code:\n=PWDYH=4LZ9D=\n=CZ<B3=XT6<G=\n=9P9MW=DDONC=',
		'passes',
		'klinker-apps/pulse-sms-issues#372',
	],
	['Bring some M&M', 'passes', 'ubports/messaging-app#332'],
	['aäáàâãåăąæbcçćčdďđeéèêëěęfghiíìîïjklĺľłmnñńň', 'passes', 'gammu/gammu#187'],
	['Bonjour la météo est belle ce matin', 'passes', 'gammu/gammu#465'],
	['Bon écolier à la ferme', 'passes', 'RaspbianFrance/raspisms#17'],
];
