const basic =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extended = '^{}\\[~]|€\f';
const basicSet = new Set(basic);
const extendedSet = new Set(extended);

/** Messages of these codes are not charged: they never left the service. */
const unpaid = new Set([7, 34, 1000]);

/** How many SMS parts a text takes: GSM 7-bit where all its characters allow that, UCS-2 otherwise. */
export const partsOf = (message: string): number => {
	let septets = 0;
	for (const character of message) {
		if (basicSet.has(character)) septets += 1;
		else if (extendedSet.has(character)) septets += 2;
		else return message.length <= 70 ? 1 : Math.ceil(message.length / 67);
	}
	return septets <= 160 ? 1 : Math.ceil(septets / 153);
};

/** What a message costs: 0.04 for each part, unless the service itself refused it. */
export const smsPriceOf = (parts: number, statusCode: number): number =>
	unpaid.has(statusCode) ? 0 : Math.round(parts * 4) / 100;
