import type { Stored } from '../resources/kind.js';
import type { KindName } from '../resources/kind-names.js';
import { KINDS } from '../resources/kinds.js';
import type { Problem } from '../yaml/problem-line.js';
import type { Reference } from './body-of.js';
import type { DeploymentFile, Entry } from './read.js';

/** What the workspace has of what a file makes and names. */
export class Existing {
  private readonly found = new Map<string, Stored>();

  add(kind: KindName, resource: Stored): void {
    this.found.set(`${kind} ${resource.name}`, resource);
  }

  get(kind: KindName, name: string): Stored | undefined {
    return this.found.get(`${kind} ${name}`);
  }
}

/** Everything that a file makes or names, each once. */
export function namedIn({ entries }: DeploymentFile): { kind: KindName; name: string }[] {
  const all = entries.flatMap(({ kind, name, references }) => [
    { kind, name },
    ...references.flatMap(({ to, name: named }) => (to === 'file' ? [] : [{ kind: to, name: named }])),
  ]);
  return [...new Map(all.map((each) => [`${each.kind} ${each.name}`, each])).values()];
}

/** Names that neither the file nor the workspace knows, where they stand. */
export function unknownNames(file: DeploymentFile, existing: Existing): Problem[] {
  const isMade = (kind: KindName, name: string) =>
    file.entries.some((entry) => entry.kind === kind && entry.name === name);
  const unknown = ({ references, at }: Entry) =>
    references.flatMap(({ to, name, written }: Reference) => {
      if (to === 'file' || isMade(to, name) || existing.get(to, name) !== undefined) return [];
      const message = `there is no ${KINDS[to].noun} "${name}"`;
      return [file.source.problemAt([...at, ...written], { code: 'unknown_reference', message })];
    });
  return file.entries.flatMap(unknown);
}
