import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SET = 0x31;
const CONTEXT_0 = 0xa0;

/** `ecdsa-with-SHA256`, as the bytes of its object identifier. */
const ALGORITHM = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'));

/** `commonName`, likewise. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** A key and a certificate that no client has a reason to trust. */
export function selfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const nobody = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('nobody')))));
  const body = der(
    SEQUENCE,
    der(CONTEXT_0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ALGORITHM,
    nobody,
    der(SEQUENCE, der(UTC_TIME, Buffer.from('250101000000Z')), der(UTC_TIME, Buffer.from('490101000000Z'))),
    nobody,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, pair.privateKey));
  const base64 = der(SEQUENCE, body, ALGORITHM, signature).toString('base64');
  return {
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
