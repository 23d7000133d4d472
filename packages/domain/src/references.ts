/** The beginning of a `credential_reference` that names a secret of the workspace: `workspace-secret://KEY`. */
export const SECRET_SCHEME = 'workspace-secret://';

/** The beginnings of the `source` of a case's entry: `input:KEY` and `artifact:KEY`. */
export const INPUT_PREFIX = 'input:';
export const ARTIFACT_PREFIX = 'artifact:';

/** A payload that is stored as a blob, as events hold it. */
export interface PayloadReference {
  /** `sha256:` and 64 lower-case hexadecimal digits. */
  $ref: string;
  bytes: number;
  /** The type of the event. */
  type: string;
}

export function payloadReference(sha256: string, bytes: number, type: string): PayloadReference {
  return { $ref: `sha256:${sha256}`, bytes, type };
}

/** The sha256 of a payload that is stored as a blob; undefined for an inline payload. */
export function referencedSha256({ $ref }: { readonly $ref?: unknown }): string | undefined {
  return typeof $ref === 'string' ? /^sha256:([0-9a-f]{64})$/.exec($ref)?.[1] : undefined;
}
