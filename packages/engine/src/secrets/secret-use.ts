import { escapeSegment } from '@agentclash/attempt-plan';
import { isOpaqueObject, type OpaqueJson, OpaqueText } from '@agentclash/challengepack';
import type { Secret } from '@agentclash/redaction';
import { ToolError } from '../outcome/tool-error.js';

/** Opened secrets of one call, by JSON Pointer of the argument that holds them. */
export type SecretUse = ReadonlyMap<string, readonly Secret[]>;

export const NO_SECRETS: SecretUse = new Map();

/** The only arguments of a request that may hold a secret. */
const SECRET_FIELDS = /^\/(url|body|headers\/[^/]*)$/;

/** JSON Pointers of the texts that hold secrets, with the keys of these secrets. */
export function secretPositions(args: OpaqueJson, at = ''): Map<string, string[]> {
  if (args instanceof OpaqueText) return new Map([[at, args.keys]]);
  const members = Array.isArray(args)
    ? args.map((entry, index): [string, OpaqueJson] => [String(index), entry])
    : isOpaqueObject(args)
      ? Object.entries(args)
      : [];
  return new Map(
    members.flatMap(([key, member]) => [...secretPositions(member, `${at}/${escapeSegment(key)}`)]),
  );
}

/** Refuses a call with a secret in another argument than url, header values and body of an http_request. */
export function checkSecretPositions(primitive: string, pointers: Iterable<string>): void {
  for (const path of pointers) {
    if (primitive === 'http_request' && SECRET_FIELDS.test(path)) continue;
    throw new ToolError('secret_field', 'a secret may not be in this argument', { path });
  }
}
