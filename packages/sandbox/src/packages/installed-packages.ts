import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SandboxSession } from '../contract.js';
import { isSandboxError } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import { SharedWork } from './shared-work.js';

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

const NOTHING: ReadonlySet<string> = new Set();
const MIB = 1 << 20;
const DPKG_STATUS = '/var/lib/dpkg/status';
const DEFAULT = '';
/** Reports of an executor must be sent in between; an image may take longer to arrive. */
const WAIT_MS = 20_000;

/** Packages of images that only a sandbox can look into: one is opened per image, once. */
export class ImagePackages {
  readonly #known = new Map<string, ReadonlySet<string>>();
  readonly #looks = new SharedWork<ReadonlySet<string>>();

  constructor(private readonly open: (spec: SandboxSpec) => Promise<SandboxSession>) {}

  /** Names, of Debian's kind; none in an image of another. Throws what opening a sandbox throws. */
  async of(template: string = DEFAULT): Promise<ReadonlySet<string>> {
    return this.#known.get(template) ?? (await this.#looks.do(template, () => this.#look(template)));
  }

  /**
   * The packages that are known by now, or soon; undefined where they cannot be known yet. `onProblem` gets the reason.
   * Never throws.
   */
  async soon(
    template: string | undefined,
    onProblem: (cause: unknown) => void,
  ): Promise<ReadonlySet<string>> {
    const looked = this.of(template).catch((error: unknown) => {
      onProblem(error);
      return NOTHING;
    });
    return await Promise.race([looked, pause(WAIT_MS, NOTHING, { ref: false })]);
  }

  async #look(template: string): Promise<ReadonlySet<string>> {
    const session = await this.open({
      limits: { cpu: 0.5, memoryBytes: 64 * MIB, pids: 16, workspaceBytes: MIB },
      labels: { runId: 'packages', attemptId: 'packages' },
      ...(template !== DEFAULT && { template }),
    });
    try {
      const names = installedIn(await statusIn(session));
      this.#known.set(template, names);
      return names;
    } finally {
      await session.destroy();
    }
  }
}

async function statusIn(session: SandboxSession): Promise<string> {
  try {
    return (await session.readFile(DPKG_STATUS, { roots: ['/var/lib/dpkg'] })).data.toString();
  } catch (error) {
    if (isSandboxError(error, 'not_found') || isSandboxError(error, 'not_permitted')) return '';
    throw error;
  }
}
