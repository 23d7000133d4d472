/** Everything that a deployment file can make, in the order in which it is made: later ones name earlier ones. */
export const KIND_NAMES = [
  'provider_account',
  'model_alias',
  'runtime_profile',
  'tool',
  'gate_policy',
  'deployment',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

const PLURALS: { readonly [K in KindName]?: string } = {
  model_alias: 'model_aliases',
  gate_policy: 'gate_policies',
};

/** The member of a deployment file that lists them. */
export function listNameOf(kind: KindName): string {
  return PLURALS[kind] ?? `${kind}s`;
}

/**
 * The kinds of files that a file can name by a path beside it: bytes that are uploaded, a text or a YAML document that
 * is put in, a folder with a skill.
 */
const LOCAL_KINDS = ['file', 'text', 'document', 'skill'] as const;
export type LocalKind = (typeof LOCAL_KINDS)[number];

export function isLocal(to: KindName | LocalKind): to is LocalKind {
  return LOCAL_KINDS.some((kind) => kind === to);
}
