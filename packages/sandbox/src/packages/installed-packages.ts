import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Names of the Debian packages that are installed in an image, read again when its list changes. */
export class InstalledPackages {
  readonly #known = new Map<string, { readAtMs: number; names: ReadonlySet<string> }>();

  /** `root` of an image without such a list, or none at all, has no packages. */
  async of(root: string): Promise<ReadonlySet<string>> {
    const list = path.join(root, 'var/lib/dpkg/status');
    const changedAtMs = await stat(list).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (changedAtMs === undefined) return new Set();
    const known = this.#known.get(root);
    if (known?.readAtMs === changedAtMs) return known.names;
    const names = installedIn(await readFile(list, 'utf8'));
    this.#known.set(root, { readAtMs: changedAtMs, names });
    return names;
  }
}

/** The names in a dpkg status file, and what they provide, of packages that are installed. */
export function installedIn(status: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const paragraph of status.split('\n\n')) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1];
    const name = field('Package');
    if (name === undefined || !/ installed$/.test(field('Status') ?? '')) continue;
    names.add(name);
    for (const provided of (field('Provides') ?? '').split(',')) {
      const virtual = provided.trim().split(' ')[0];
      if (virtual) names.add(virtual);
    }
  }
  return names;
}
