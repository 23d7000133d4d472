import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Manifest } from '../pack/model.js';
import { jsonText } from '../values/json-text.js';

/** Canonical JSON (RFC 8785). */
export function canonicalJson(value: unknown): string {
  return jsonText(value);
}

/** `sha256:` and the lower-case hex SHA-256 of the manifest's canonical JSON. */
export function digestOf(manifest: Manifest): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(canonicalJson(manifest))))}`;
}
