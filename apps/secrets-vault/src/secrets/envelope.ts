import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.js';

/** Which secret a ciphertext belongs to; bound into it, so that rows cannot be swapped. */
export interface SecretIdentity {
  workspaceId: string;
  key: string;
  version: number;
}

/** A value under its own data key, and that key under a master key. Both as nonce, ciphertext, tag. */
export interface Envelope {
  masterKeyId: string;
  wrappedKey: Uint8Array<ArrayBuffer>;
  ciphertext: Uint8Array<ArrayBuffer>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function encryptSecret(value: Uint8Array, identity: SecretIdentity, ring: KeyRing): Envelope {
  const dataKey = randomBytes(32);
  const aad = additionalData(identity);
  return {
    masterKeyId: ring.activeId,
    wrappedKey: encrypt(dataKey, ring.get(ring.activeId), aad),
    ciphertext: encrypt(value, dataKey, aad),
  };
}

/** Throws when the envelope was altered, belongs to another secret, or its master key is missing. */
export function decryptSecret(envelope: Envelope, identity: SecretIdentity, ring: KeyRing): Buffer {
  const aad = additionalData(identity);
  const dataKey = decrypt(envelope.wrappedKey, ring.get(envelope.masterKeyId), aad);
  return decrypt(envelope.ciphertext, dataKey, aad);
}

function additionalData({ workspaceId, key, version }: SecretIdentity): Buffer {
  return Buffer.from(JSON.stringify(['agentclash/secret/1', workspaceId, key, version]));
}

function encrypt(plaintext: Uint8Array, key: Uint8Array, aad: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  return new Uint8Array(
    Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]),
  );
}

function decrypt(sealed: Uint8Array, key: Uint8Array, aad: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad).setAuthTag(tag);
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)),
    decipher.final(),
  ]);
}
