import { suggestedName } from '@agentclash/challengepack';
import type { Stored } from '../resources/kind.js';
import { isLocal, type KindName } from '../resources/kind-names.js';
import { KINDS } from '../resources/kinds.js';
import type { Problem } from '../yaml/problem-line.js';
import type { Reference } from './body-of.js';
import type { DeploymentFile, Described } from './read.js';

/** The stored resources of the workspace that a file makes or names. */
export class StoredResources {
  private readonly found = new Map<string, Stored>();

  add(kind: KindName, resource: Stored): void {
    this.found.set(`${kind} ${resource.name}`, resource);
  }

  get(kind: KindName, name: string): Stored | undefined {
    return this.found.get(`${kind} ${name}`);
  }
}

/** Everything that a file makes or names, each once. */
export function namedIn({ described }: DeploymentFile): { kind: KindName; name: string }[] {
  const all = described.flatMap(({ kind, name, references }) => [
    { kind, name },
    ...references.flatMap(({ to, name: named }) => (isLocal(to) ? [] : [{ kind: to, name: named }])),
  ]);
  return [...new Map(all.map((each) => [`${each.kind} ${each.name}`, each])).values()];
}

/**
 * Names that neither the file nor the workspace has, with their positions. `stored` are the names that the workspace has
 * of a kind, as far as they are known: the nearest is suggested.
 */
export function unknownNames(
  file: DeploymentFile,
  existing: StoredResources,
  stored: ReadonlyMap<KindName, readonly string[]> = new Map(),
): Problem[] {
  const made = (kind: KindName) => file.described.flatMap((each) => (each.kind === kind ? [each.name] : []));
  const unknown = ({ references, at }: Described) =>
    references.flatMap(({ to, name, written }: Reference) => {
      if (isLocal(to) || made(to).includes(name) || existing.get(to, name) !== undefined) return [];
      const suggestion = suggestedName(name, [...made(to), ...(stored.get(to) ?? [])]);
      const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
      const problem = {
        code: 'unknown_reference',
        message: `there is no ${KINDS[to].noun} "${name}"${hint}`,
        ...(suggestion !== undefined && { suggestion }),
      };
      return [file.source.problemAt([...at, ...written], problem)];
    });
  return file.described.flatMap(unknown);
}

/** The kinds of which the file names something unknown. */
export function kindsOfUnknownNames(file: DeploymentFile, existing: StoredResources): KindName[] {
  const made = new Set(file.described.map(({ kind, name }) => `${kind} ${name}`));
  const kinds = file.described.flatMap(({ references }) =>
    references.flatMap(({ to, name }) =>
      isLocal(to) || made.has(`${to} ${name}`) || existing.get(to, name) !== undefined ? [] : [to],
    ),
  );
  return [...new Set(kinds)];
}
