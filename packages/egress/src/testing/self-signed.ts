import { createSign, generateKeyPairSync } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  key: string;
  cert: string;
}

// The few tags of DER (ITU-T X.690) that a certificate (RFC 5280) needs.
const TAGS = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, utcTime: 0x17 } as const;
const SEQUENCE = 0x30;
const SET = 0x31;

const ECDSA_WITH_SHA256 = sequence(der(TAGS.oid, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(TAGS.oid, Buffer.from('550403', 'hex'));
const SUBJECT_ALT_NAME = der(TAGS.oid, Buffer.from('551d11', 'hex'));

/** A self-signed P-256 certificate, in PEM, good for the given names and IPv4 addresses for a day on either side. */
export function selfSigned(hosts: readonly string[], now = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(SET, sequence(COMMON_NAME, der(TAGS.utf8, Buffer.from('test')))));
  const dayMs = 86_400_000;
  const body = sequence(
    der(0xa0, der(TAGS.integer, Buffer.from([2]))),
    der(TAGS.integer, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - dayMs), utcTime(now + dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(TAGS.octets, sequence(...hosts.map(altName)))))),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const bits = der(TAGS.bits, Buffer.concat([Buffer.from([0]), signature]));
  const base64 = sequence(body, ECDSA_WITH_SHA256, bits).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}

function altName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '');
  return der(TAGS.utcTime, Buffer.from(`${digits.slice(2, 14)}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(SEQUENCE, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
