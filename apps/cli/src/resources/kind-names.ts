/** Everything that a deployment file can make, in the order in which it is made: later ones name earlier ones. */
export const KIND_NAMES = [
  'provider_account',
  'model_alias',
  'runtime_profile',
  'tool',
  'deployment',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** The member of a deployment file that lists them. */
export function listNameOf(kind: KindName): string {
  return kind === 'model_alias' ? 'model_aliases' : `${kind}s`;
}
