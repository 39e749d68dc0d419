import { generateKeyPairSync, sign } from 'node:crypto';

const Tag = { integer: 2, bits: 3, octets: 4, oid: 6, text: 12, time: 23, sequence: 48, set: 49 } as const;

/** Returns a DER value. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...derLength(body.length)]), body]);
}

function derLength(length: number): readonly number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
}

const sequence = (...content: readonly Buffer[]) => der(Tag.sequence, ...content);
const oid = (hex: string) => der(Tag.oid, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

function nameOf(commonName: string): Buffer {
  return sequence(der(Tag.set, sequence(oid('550403'), der(Tag.text, Buffer.from(commonName)))));
}

/** Creates a self-signed certificate for this machine and its key, both PEM. */
export function selfSigned(commonName: string): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const time = (text: string) => der(Tag.time, Buffer.from(text));
  // 127.0.0.1 and localhost.
  const names = sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from('localhost')));
  const unsigned = sequence(
    der(0xa0, der(Tag.integer, Buffer.from([2]))),
    der(Tag.integer, Buffer.from([1])),
    ecdsaWithSha256,
    nameOf(commonName),
    sequence(time('200101000000Z'), time('491231235959Z')),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(Tag.octets, names)))),
  );
  const signature = sign('sha256', unsigned, privateKey);
  const certificate = sequence(unsigned, ecdsaWithSha256, der(Tag.bits, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
