/** Texts as shops, clinics and clubs send them, by language: none is refused, and nothing is said of any. */
const TEXTS = {
	English: String.raw`
Our summer sale starts on Monday: 50% off everything until 6 pm
Hi Ann, your table for 4 is booked for Friday, 27 Nov at 7:30pm. Reply is not possible, call 020 7946 0958
Flash sale! 30-50% off [today] only. Use code {SAVE20} at checkout
Your voucher: {XMAS-2026}. Worth £10 (min. spend £50)
Dear Mr Null, your glasses are ready to collect
Hello Nan, happy 80th birthday from all of us at Bloom & Co!
It's on! Doors open @ 8, first 100 guests get in free :-)
3 for 2 on all shampoo <3 Ends Sunday
Please do NOT reply to this text, and do not reply YES by mail. Call 020 7946 0958
Sale! To unsubscribe, text STOP to 60123
Thanks for your reply! We answer 7 days a week, and reply within 2 hours
Was £89.99, now £45.00. That's 49.99% less
Show this text in store & get a free coffee
#BlackFriday is here! #NAME your price at our auction
Tell us your #NAME? and win: example.com/win
New arrivals: sizes 36-42, from 19.90. https://shop.example.com/new?utm_source=sms&utm_medium=text#top
Track: https://example.com/t/46205?d=2026-11-27T09:00:00Z
Last chance!!! 24h only... Shop now >> example.com
Members' evening, 5-7pm. Bring a friend (+1)!
Your MOT is due. Book at example.com/book or call 0800 123 456
Class moved: Yoga is now at 6.45 instead of 6.15
We've missed you! Here's 20% off: WELCOME_BACK_20
2 + 2 = 5? With our bundle it does: buy 4, get 1 free
Order 46205 can be collected from 10:00. Bring ID
Pop-up at 10.0.0 Studio, Unit 192, 168 High St
C U @ the game! Kick-off 3pm. Go Reds!
Best price: 0.5 kg for $4.50 (=$9/kg)
Dr. Test's practice is closed on 24/12 & 31/12
Room [B2] -> turn left, then up. Ask for "Max"
A/C service from $79* (*most models). T&Cs apply: ex.co/tc
RT5 E-bike: 25 mph, 70 mi, 0-15 in 4s. Test ride?
Level 2E+3F now open. 4E seats left: 12
Say YES to savings: type=gold members get 10% extra
Here is what's new this week: jackets, boots, scarves
Subject to availability. While stocks last. Max 2 pp
[Reminder] Choir practice tonight at 7 in the hall
Vote for us: option (A) or option (B)
Win £500! Terms: one entry per household; 18+
`,
	German: String.raw`
Null Euro Gebühr: bis Sonntag ohne Versandkosten bestellen!
null Euro Gebühr bis 30.11. Jetzt eröffnen: bank.example.com
Nur heute: 20 % auf alles (außer Tiernahrung)
Hallo Jürgen, Ihr Termin ist am Fr., 27.11., um 9:00 Uhr. Praxis Dr. Müller
Liebe Zoë, wir gratulieren zum Geburtstag! Dein Gutschein: GEBURTSTAG-10
Straßenfest in der Größstraße: ab 14 Uhr, Eintritt frei
ÄRZTE-ÖFFNUNGSZEITEN: MO–FR 8–18 UHR, SA GESCHLOSSEN
Sie sparen 1.299,00 € – solange der Vorrat reicht
„Weißer Samstag“: alles für 9,99 €
Neu eingetroffen: Größen 36–46, auch in Übergröße
Ihr Paket liegt bei Fa. Test & Söhne, Hauptstr. 5
Kaffee & Kuchen für 4,50 € (So. 14–17 h)
Ihre Bestellung 46205 ist da. Abholung bis 5.12.
Bitte denken Sie an Ihre Vorsorge. Tel. 030 901820
Danke für Ihre Antwort! Ja, wir antworten gern
Unser Tipp: [Glühwein] + Waffel = 6 €
Mit dem Code {ADVENT24} gibt es jeden Tag etwas
Wir sind umgezogen: Am Markt 3, 10115 Berlin
Räumungsverkauf! Alles muss raus. Bis zu -70 %
Nicht vergessen: morgen 18:30 Probe. Gruß, Team
Nächster Blutspendetermin: 3.12., 15–19 Uhr, DRK
`,
	French: String.raw`
Soldes d'été : -50 % sur tout, jusqu'à dimanche !
Bonjour Chloé, votre rendez-vous est confirmé le 27/11 à 9h00
Chère cliente, votre commande n° 46205 vous attend
Joyeux anniversaire André ! 10 € offerts avec le code JOYEUX10
Soldes jusqu'à samedi. STOP au 36111
Déjà Noël : -20 € dès 100 € d'achat. À bientôt !
L'élève a été reçu : félicitations à Gaël et Maëlle
Œufs frais, crème et pâté : le marché est ouvert
« Venez fêter avec nous ! » Samedi, 20 h, entrée 5 €
PROMO ÉTÉ : ACHETEZ 2, LE 3ÈME OFFERT À PRIX RÉDUIT
Offre valable 48h. CGV : exemple.fr/cgv
Votre voiture est prête. Garage Lefèvre, 01 23 45 67 89
Ça y est ! La nouvelle collection est arrivée
Où ? Au 3, rue de la Paix. Quand ? Dès 18h
Null n'est censé ignorer nos prix : -30 %
Prenez soin de vous... et profitez de -15 % [en magasin]
Rappel : vaccination le 3/12, salle B. Apportez votre carte
Le café vous est offert avec ce SMS (1 par pers.)
Réunion à 19h30 : vœux, budget, élections
Ouverture dimanche 14h-18h. Accès P+R gratuit
STOP aux prix fous : -60 % dès demain matin
`,
	Spanish: String.raw`
¡Rebajas de verano! Hasta un 50 % de descuento en todo
Hola María, tu cita es el viernes 27 a las 9:00. Clínica Ñuñoa
¿Cansado de esperar? Pide ya: 2x1 en pizzas
Feliz cumpleaños, José. Tu regalo: {CUMPLE10}
Últimos días: todo a 9,99 € (IVA incl.)
Año nuevo, vida nueva: matrícula 0 €
Su pedido 46205 está listo. Recójalo antes de las 20h
¡Vuelve el cole! Mochilas desde $199.00
Señor Peña, su vehículo ya está reparado
Sólo mañana: 3x2 en champú y acondicionador
Fútbol: inscripciones abiertas [sub-12]
El té está listo. ¿Te esperamos a las 17:00?
Ven a la feria el 5/12. Entrada gratis para niños
Descuento del 15% con este SMS. Válido en tiendas
Ñoquis del 29: menú + bebida por $8.500
`,
	Portuguese: String.raw`
NÃO PERCA! SÓ AMANHÃ: 30% DE DESCONTO
PROMOÇÃO DE VERÃO: LEVE 3, PAGUE 2. ATÉ DIA 30!
Olá, João! Seu pedido 46205 já saiu para entrega
ATENÇÃO: REUNIÃO DE CONDOMÍNIO AMANHÃ, 19H, SALÃO
Irmã Lúcia convida: missa às 9h, pão e café depois
IRMÃ. MÃE. AVÓ. PARA ELAS, FLORES COM 20% OFF
Feliz aniversário, Conceição! Ganhe R$ 20,00 hoje
Você tem consulta dia 27/11 às 9h. Dr. Simões
Frete grátis acima de R$ 99,90. Use {FRETE0}
Café da manhã a partir de 7h. Pães fresquinhos!
PÃES, MAÇÃS E LIMÕES: 2 KG POR R$ 5
Última chance: -40% em calçados [lojas físicas]
À vista 10% off. Em até 12x sem juros
SÃO JOÃO CHEGOU: FORRÓ, QUENTÃO & CANJICA
Não é mágica, é liquidação! Até 70%
`,
	Italian: String.raw`
Saldi estivi: -50% su tutto fino a domenica!
Ciao Niccolò, il tuo tavolo è prenotato per le 20:30
Novità: scarpe da 39,90 € e borse da 25 €
Perché aspettare? Ordina ora su negozio.example.it
Buon compleanno! Per te il 10% con il codice AUGURI10
L'auto è pronta. Officina Rossi, tel. 06 1234567
Città: parcheggio gratuito dopo le 18. Così è più facile
Il tuo ordine 46205 è arrivato. Ritiro entro il 5/12
Domani chiuso per inventario. Grazie!
Promo caffè: 2 al prezzo di 1 [solo oggi]
Più sconti per tutti: già dal mattino, fino a sera
Test gratuito dell'udito: sabato 28, ore 9-13
`,
	Dutch: String.raw`
Zomeruitverkoop: 50% korting op alles t/m zondag
Hoi Zoë, je afspraak is op vrijdag 27 nov. om 9.00 uur
Beste klant, uw bestelling 46205 ligt klaar
Eén dag lang: alle fietsen €100 goedkoper
Gefeliciteerd, André! Taart staat klaar bij Bakker Jansen
Vanaf €4,50 p.p. Kinderen t/m 4 jaar gratis
Nieuw: cadeaukaarten van 10, 25 en 50 euro
Laatste ronde! Alles moet weg: -70%
Vergeet niet: morgen 19.30 u. repetitie in 't Hof
Skûtsjesilen in Fryslân: kaarten via voorbeeld.nl
Gratis parkeren op P+R. Kom gerust langs!
`,
	Polish: String.raw`
Wyprzedaż letnia: -50% na wszystko do niedzieli!
Cześć Łukasz, Twoja wizyta jest w piątek o 9:00
Żółta kartka? Nie u nas: zwroty 30 dni gratis
Śniadanie od 7:30, kawa 8,50 zł
Dziękujemy! Zamówienie 46205 czeka w paczkomacie
Wszystkiego najlepszego, Zosiu! Rabat: {URODZINY}
Nowość: rozmiary 36–42 już od 99,99 zł
Święta tuż-tuż: zapakujemy prezenty za darmo
Ćwiczenia przeniesione na 18.45. Do zobaczenia!
Ostatnie sztuki! Tylko dziś dostawa 0 zł
Mąka, cukier, jaja: taniej o 15% [z kartą]
`,
	Czech: String.raw`
Letní výprodej: -50 % na vše do neděle!
Ahoj Jiří, tvůj termín je v pátek v 9:00
Šťastné narozeniny, Zdeňko! Dárek: kód OSLAVA10
Objednávka 46205 je připravena k vyzvednutí
Příští týden zavřeno. Děkujeme za pochopení
Káva + koláč za 89 Kč [jen dnes]
Žluťoučký kůň běží v neděli ve 14 h, vstup volný
Nové boty od 999 Kč, doprava zdarma
Ordinace MUDr. Dvořák: očkování 3. 12.
Úterý 18:30: trénink. Vezměte si pití
`,
	Swedish: String.raw`
Sommarrea: 50 % på allt till och med söndag!
Hej Åsa, din tid är fredag 27/11 kl. 9.00
Grattis på födelsedagen! Här är 10 %: KALAS10
Beställning 46205 finns att hämta. Öppet till 20
Nyhet: skor från 399 kr, fri frakt över 500 kr
Glöm inte: årsmöte kl 18.30 i Ängsgården
Köp 3, betala för 2 på all hårvård
Läkarmottagningen har stängt 24–26/12
Välkommen åter! Kaffe & bulle 45:- [idag]
`,
	Danish: String.raw`
Sommerudsalg: 50 % på alt til og med søndag!
Hej Søren, din tid er fredag den 27/11 kl. 9.00
ØL & PØLSER: KUN 50 KR. I AFTEN
Tillykke med fødselsdagen! Brug koden FØDSELSDAG
Ordre 46205 kan hentes. Åbent til kl. 20
ÅRETS BEDSTE TILBUD: Ærlige priser, Øko & Æbler
Husk generalforsamling kl. 19 i Rådhuset
Nye sko fra 399 kr. – gratis levering
`,
	Turkish: String.raw`
Yaz indirimi: pazara kadar her şeyde %50!
Merhaba Ayşe, randevunuz cuma günü 9:00'da
Doğum günün kutlu olsun! İndirim kodun: DOGUM10
46205 numaralı siparişiniz hazır. Şubeden alabilirsiniz
Yeni sezon: ayakkabılar 399,90 TL'den başlıyor
Sadece bugün: %30 indirim [mağazalarda]
Çocuklara ücretsiz! Gösteri saat 18:30'da
Kış geldi: mont ve botlarda 3 al 2 öde
Sayın üyemiz, aidatınız için teşekkürler
`,
	Vietnamese: String.raw`
MÃ GIẢM GIÁ 50%: SUMMER50. HẠN ĐẾN 30/11
ĐÃ ĐẾN! XÃ HỘI HÓA: CÃI GÌ CŨNG RẺ. MÃ: TET2027
Chào chị Hương, lịch hẹn của chị là 9:00 thứ Sáu
QUÝ KHÁCH ÂN CẦN: ÂM NHẠC & ẨM THỰC LÚC 19H
Mua 2 tặng 1 đến hết Chủ nhật. LH 028 3825 3456
Đơn hàng 46205 đã sẵn sàng. Cảm ơn bạn!
Chúc mừng sinh nhật! Tặng bạn 50.000đ
Ưu đãi: cà phê sữa chỉ 25.000đ [hôm nay]
ÃO TƯỞNG? KHÔNG: GIẢM 70% THẬT!
Ngày hội việc làm: 8h, ngã tư Hàng Xanh
`,
	Romanian: String.raw`
Reduceri de vară: -50% la tot până duminică!
Bună, Ștefan! Programarea ta: vineri, 27.11, ora 9:00
La mulți ani! Ai 10% reducere: codul ANIVERSARE
Comanda 46205 te așteaptă. Program: 9–20
ÎN SFÂRȘIT: ȚIGLĂ ȘI CĂRĂMIDĂ LA PREȚ MIC
Mâine închis. Vă mulțumim pentru înțelegere!
Cafea + cozonac: 25 lei [doar azi]
Grădinița „Fluturașii”: serbare la ora 18:30
`,
	Hungarian: String.raw`
Nyári vásár: vasárnapig mindenre 50% kedvezmény!
Szia Zsófi, időpontod: péntek 9:00
Boldog születésnapot! Ajándék kód: SZULINAP
A 46205. számú rendelés átvehető
Új cipők 9990 Ft-tól, ingyenes szállítás
Ne felejtsd: holnap 18.30 edzés!
Őszi akció: 3-at fizet, 4-et vihet
Kávé és süti 990 Ft [csak ma]
`,
	Russian: String.raw`
Летняя распродажа: -50% на всё до воскресенья!
Здравствуйте, Анна! Ваш визит в пятницу в 9:00
С днём рождения! Скидка 10% по коду PRAZDNIK
Заказ 46205 готов к выдаче. Ждём вас до 20:00
Новинки: обувь от 3 990 ₽, доставка бесплатно
Только сегодня: кофе + пирог за 250 ₽
Щётки, ёлки, подарки — всё для праздника!
Приём врача перенесён на 3.12, каб. 5
№ 1 в городе: «Ромашка» открыта до 22:00
`,
	Ukrainian: String.raw`
Літній розпродаж: -50% на все до неділі!
Вітаємо, Оксано! Ваш запис на п'ятницю о 9:00
З днем народження! Знижка за кодом СВЯТО10
Замовлення 46205 готове. Чекаємо до 20:00
Нова колекція: взуття від 1 499 грн
Їжа з доставкою: 2 піци за ціною 1 [сьогодні]
`,
	Greek: String.raw`
Καλοκαιρινές εκπτώσεις: -50% σε όλα ως την Κυριακή!
Γεια σου Μαρία, το ραντεβού σου είναι Παρασκευή 9:00
Χρόνια πολλά! Κωδικός δώρου: GIORTI10
Η παραγγελία 46205 είναι έτοιμη για παραλαβή
Καφές + γλυκό 4,50 € μόνο σήμερα
Άνοιξε το νέο μας κατάστημα. Ώρες: 9–21
`,
	Arabic: String.raw`
تخفيضات الصيف: 50% على كل شيء حتى الأحد!
مرحباً أحمد، موعدك يوم الجمعة الساعة 9:00
كل عام وأنت بخير! رمز الخصم: EID10
طلبك رقم 46205 جاهز للاستلام
عرض اليوم فقط: قهوة وكعكة بـ 15 ريالاً
زوروا فرعنا الجديد، من 9 ص إلى 10 م
‏شحن مجاني للطلبات فوق 200 ريال
`,
	Hebrew: String.raw`
מבצע קיץ: 50% הנחה על הכול עד יום ראשון!
שלום נועה, התור שלך ביום שישי בשעה 9:00
יום הולדת שמח! קוד הנחה: MAZALTOV
הזמנה 46205 מוכנה לאיסוף
‏רק היום: קפה ומאפה ב-25 ש"ח
החנות החדשה נפתחה. א'-ה' 9:00-20:00
`,
	Hindi: String.raw`
गर्मियों की सेल: रविवार तक सब पर 50% छूट!
नमस्ते अनीता, आपकी अपॉइंटमेंट शुक्रवार 9:00 बजे है
जन्मदिन मुबारक! कूपन: KHUSHI10
ऑर्डर 46205 तैयार है। रात 8 बजे तक आएँ
आज ही: चाय और समोसा ₹30
नई दुकान खुल गई है। पता: एम.जी. रोड 5
`,
	Chinese: String.raw`
夏季特卖：全场五折，截至周日！
您好，王女士，您的预约时间是周五9:00
生日快乐！优惠码：HAPPY10
您的订单46205已到店，请于20:00前领取
【春风书店】新书上架，满100减20
今日特价：咖啡+蛋糕仅需35元
明天停业一天，谢谢理解
`,
	Japanese: String.raw`
夏のセール開催中：日曜日まで全品50％オフ！
山田様、ご予約は金曜日の9:00です
お誕生日おめでとうございます！クーポン：HAPPY10
ご注文46205の準備ができました
【本日限定】コーヒー＋ケーキ 500円
明日は休業いたします。ご了承ください
スタンプ2倍デー♪ ぜひお越しください
`,
	Korean: String.raw`
여름 세일: 일요일까지 전 품목 50% 할인!
안녕하세요 김민지님, 예약은 금요일 9:00입니다
생일 축하합니다! 쿠폰: HAPPY10
주문 46205 상품이 준비되었습니다
[Web발신] 오늘만 커피+케이크 7,000원
내일은 휴무입니다. 감사합니다
`,
	Thai: String.raw`
ลดราคาหน้าร้อน 50% ทุกชิ้น ถึงวันอาทิตย์!
สวัสดีคุณนก นัดของคุณคือวันศุกร์ 9:00 น.
สุขสันต์วันเกิด! โค้ด: HAPPY10
คำสั่งซื้อ 46205 พร้อมรับแล้ว
วันนี้เท่านั้น กาแฟ+เค้ก 99 บาท
`,
	Indonesian: String.raw`
Diskon musim panas: 50% untuk semua hingga Minggu!
Halo Dewi, janji temu Anda Jumat pukul 9.00
Selamat ulang tahun! Kode: ULTAH10
Pesanan 46205 siap diambil. Terima kasih
Hari ini saja: kopi + kue Rp25.000
Gratis ongkir min. belanja Rp100 rb [online]
`,
	Finnish: String.raw`
Kesäale: -50 % kaikesta sunnuntaihin asti!
Hei Päivi, aikasi on perjantaina klo 9.00
Hyvää syntymäpäivää! Koodi: SYNTTARIT
Tilaus 46205 on noudettavissa. Auki klo 20 asti
Kahvi + pulla 4,50 € [vain tänään]
Ystävänpäivän tarjous: osta 3, maksa 2
`,
	Estonian: String.raw`
Suvine allahindlus: kuni pühapäevani kõik -50%!
Tere, Õnne! Sinu aeg on reedel kell 9.00
Tellimus 46205 on valmis. Oleme avatud kella 20ni
Täna kohv + kook 4,50 € [ainult poes]
`,
	Latvian: String.raw`
Vasaras izpārdošana: līdz svētdienai visam -50%!
Sveika, Līga! Tavs vizītes laiks: piektdien 9.00
Pasūtījums 46205 ir gatavs. Gaidām līdz 20.00
`,
	Lithuanian: String.raw`
Vasaros išpardavimas: iki sekmadienio viskam -50%!
Labas, Rūta! Jūsų vizitas penktadienį 9.00 val.
Užsakymas 46205 paruoštas. Dirbame iki 20 val.
`,
	Croatian: String.raw`
Ljetna rasprodaja: do nedjelje 50% na sve!
Bok, Đurđa! Tvoj termin je u petak u 9:00
Narudžba 46205 je spremna. Radimo do 20 h
Žuti karton? Ne kod nas: povrat 30 dana
`,
	Icelandic: String.raw`
Sumarútsala: 50% af öllu til sunnudags!
Hæ Þóra, tíminn þinn er föstudag kl. 9.00
Pöntun 46205 er tilbúin. Opið til kl. 20
`,
	Swahili: String.raw`
Punguzo la kiangazi: 50% kwa kila kitu hadi Jumapili!
Habari Amina, miadi yako ni Ijumaa saa 3 asubuhi
Oda 46205 iko tayari. Karibu hadi saa 2 usiku
`,
	Filipino: String.raw`
Summer sale: 50% off sa lahat hanggang Linggo!
Kumusta Ana, ang appointment mo ay Biyernes, 9:00
Handa na ang order 46205. Bukas kami hanggang 8 pm
`,
	Hausa: String.raw`
Rangwame: 50% a kan komai har zuwa Lahadi!
Sannu Ƙasimu, lokacin ganawarka Juma'a ƙarfe 9
`,
} as const;

export const ORDINARY_TEXTS: readonly (readonly [language: string, text: string])[] =
	Object.entries(TEXTS).flatMap(([language, texts]) =>
		texts
			.trim()
			.split('\n')
			.map((text) => [language, text] as const),
	);

export const ORDINARY_NAMES = [
	...['Ann', 'Null', 'Zoë', "O'Brien", 'Nan', 'Ana-María', 'Jürgen Groß', 'ĐÃ', 'Ã', 'Li', 'Ng'],
	...[
		'Mr. Test-Müller',
		'Dr. No',
		'Nil Ozgur',
		'山田',
		'محمد',
		'Łukasz',
		'Na',
		'Van der Berg',
		'Åsa',
	],
	...['Anna & Ben', 'Familie Schön', 'J. R. R.', 'Ivan IV.', 'Non', 'Testa', 'Unknown Artist Ltd.'],
];
