import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from '../key-ring.js';

/** Which secret a ciphertext belongs to; bound into it, so that rows cannot be swapped. */
export interface SecretIdentity {
  workspaceId: string;
  key: string;
  version: number;
}

type Sealed = Uint8Array<ArrayBuffer>;

/** A value under its own data key, and that key under a master key. Both as nonce, ciphertext, tag. */
export interface Envelope {
  masterKeyId: string;
  wrappedKey: Sealed;
  ciphertext: Sealed;
}

/** The data key of one stored secret. */
export type WrappedKey = SecretIdentity & Omit<Envelope, 'ciphertext'>;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function encryptSecret(value: Uint8Array, identity: SecretIdentity, ring: KeyRing): Envelope {
  const dataKey = randomBytes(32);
  const aad = additionalData(identity);
  return { ...wrap(dataKey, aad, ring), ciphertext: encrypt(value, dataKey, aad) };
}

/** Throws when the envelope was altered, belongs to another secret, or its master key is missing. */
export function decryptSecret(envelope: Envelope, identity: SecretIdentity, ring: KeyRing): Buffer {
  const dataKey = unwrap({ ...identity, ...envelope }, ring);
  return decrypt(envelope.ciphertext, dataKey, additionalData(identity));
}

/** The same data key under the active master key; the value stays as it is. Throws as `decryptSecret` does. */
export function rewrap(wrapped: WrappedKey, ring: KeyRing): Omit<Envelope, 'ciphertext'> {
  return wrap(unwrap(wrapped, ring), additionalData(wrapped), ring);
}

/** True when the ring's key of that id is the one that wrapped it. */
export function opensWith(wrapped: WrappedKey, ring: KeyRing): boolean {
  try {
    return unwrap(wrapped, ring).length > 0;
  } catch {
    return false;
  }
}

function wrap(dataKey: Uint8Array, aad: Uint8Array, ring: KeyRing): Omit<Envelope, 'ciphertext'> {
  const { activeId } = ring;
  return { masterKeyId: activeId, wrappedKey: encrypt(dataKey, ring.get(activeId), aad) };
}

function unwrap(wrapped: WrappedKey, ring: KeyRing): Buffer {
  return decrypt(wrapped.wrappedKey, ring.get(wrapped.masterKeyId), additionalData(wrapped));
}

function additionalData({ workspaceId, key, version }: SecretIdentity): Buffer {
  return Buffer.from(JSON.stringify(['agentclash/secret/1', workspaceId, key, version]));
}

function encrypt(plaintext: Uint8Array, key: Uint8Array, aad: Uint8Array): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  return new Uint8Array(
    Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]),
  );
}

function decrypt(sealed: Uint8Array, key: Uint8Array, aad: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(aad)
    .setAuthTag(tag);
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)),
    decipher.final(),
  ]);
}
