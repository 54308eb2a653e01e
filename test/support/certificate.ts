import { generateKeyPairSync, sign } from 'node:crypto';

/** One ASN.1 value in DER: tag, length, content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;

const objectId = (hex: string) => der(OBJECT_ID, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => der(UTC_TIME, Buffer.from(text));

/**
 * A new key and a certificate for it that it has signed itself (X.509, ECDSA with SHA-256).
 * @param end of its validity, as `yymmddhhmmssZ`
 */
export function selfSignedCertificate(
	commonName = 'localhost',
	end = '491231235959Z',
): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const algorithm = der(SEQUENCE, objectId('2a8648ce3d040302'));
	const name = der(
		SEQUENCE,
		der(SET, der(SEQUENCE, objectId('550403'), der(UTF8_STRING, Buffer.from(commonName)))),
	);
	const toBeSigned = der(
		SEQUENCE,
		der(VERSION, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.from([1])),
		algorithm,
		name,
		der(SEQUENCE, utcTime('200101000000Z'), utcTime(end)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', toBeSigned, privateKey);
	const certificate = der(
		SEQUENCE,
		toBeSigned,
		algorithm,
		der(BIT_STRING, Buffer.from([0]), signature),
	);
	const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}
