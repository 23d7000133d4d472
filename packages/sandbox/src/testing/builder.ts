import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostRoot, type LayerEntry, writeLayout } from '@agentclash/images/fixture';
import { expect } from '@jest/globals';
import type { UnpackedImages } from '../bubblewrap/image-roots.js';
import type { BubblewrapOptions } from '../bubblewrap/options.js';
import type { BubblewrapProvider } from '../bubblewrap/provider.js';
import { openImages } from '../choice/images.js';
import { findProgram } from '../host/config.js';
import type { ImageProgress } from '../image.js';
import { TestProvider } from './test-provider.js';

const PROGRAMS = [
  ...['sh', 'cat', 'chmod', 'chown', 'dd', 'echo', 'env', 'id', 'ls', 'ln', 'mkdir', 'mknod', 'mount', 'rm'],
  ...['bash', 'sleep', 'stat', 'tail', 'touch', 'unshare', 'tr', 'kill'],
];

/** Why builds cannot be tested here; undefined where they can. */
export function withoutBuilds(): string | undefined {
  if (process.getuid?.() !== 0) return 'builds need root';
  return findProgram('buildah') ? undefined : 'buildah is not installed (apt-get install -y buildah)';
}

/** Real builds of small Dockerfiles, on a base image that is made of a few programs of this machine. */
export class TestBuilder {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'agentclash-builds-'));
  readonly machine = new TestProvider();
  readonly lines: string[] = [];
  #base = '';
  #provider: BubblewrapProvider | undefined;

  async open(
    builds: BubblewrapOptions['builds'] = {},
    more: readonly LayerEntry[] = [],
  ): Promise<BubblewrapProvider> {
    chmodSync(this.directory, 0o755);
    const layers = [[...hostRoot(PROGRAMS), ...more], [{ name: 'etc/base', content: 'base' }]];
    const digest = await writeLayout(this.#layout, {
      name: 'base.invalid/base:v1',
      layers,
      env: ['PATH=/usr/bin', 'OF_BASE=1'],
    });
    this.#base = `base.invalid/base@${digest}`;
    this.#provider = await this.machine.open({
      images: await this.images(),
      cacheDir: path.join(this.directory, 'cache'),
      builds,
    });
    return this.#provider;
  }

  get provider(): BubblewrapProvider {
    if (this.#provider === undefined) throw new Error('the builder is not open');
    return this.#provider;
  }

  /** The name of the base image by its digest. */
  get base(): string {
    return this.#base;
  }

  get #layout(): string {
    return path.join(this.directory, 'layout');
  }

  /** Builds the steps on the base image, from these files of the context. */
  async build(
    steps: string,
    {
      files = {},
      timeoutMs = 60_000,
      ...more
    }: {
      files?: Readonly<Record<string, string>>;
      timeoutMs?: number;
      network?: 'none' | 'host';
      signal?: AbortSignal;
      onProgress?: (progress: ImageProgress) => void;
    } = {},
  ): Promise<string> {
    const context = mkdtempSync(path.join(this.directory, 'context-'));
    const all = { Dockerfile: steps.replaceAll('BASE', this.#base), ...files };
    for (const [name, content] of Object.entries(all)) {
      mkdirSync(path.dirname(path.join(context, name)), { recursive: true });
      writeFileSync(path.join(context, name), content, { mode: 0o755 });
    }
    const key = createHash('sha256').update(JSON.stringify(all)).digest('hex');
    const { network, signal, onProgress } = more;
    return await this.provider.buildImage(
      { key, context, dockerfile: 'Dockerfile', timeoutMs, ...(network && { network }) },
      {
        ...(signal && { signal }),
        onProgress: (progress) => {
          if (progress.line !== undefined) this.lines.push(progress.line);
          onProgress?.(progress);
        },
      },
    );
  }

  /** The output of a command in a sandbox of the image. */
  async outputIn(reference: string, command: string, runAsRoot = false): Promise<string> {
    const session = await this.provider.create({
      limits: { cpu: 1, memoryBytes: 256 * 1024 ** 2, pids: 64, workspaceBytes: 16 * 1024 ** 2 },
      labels: { runId: 'builds', attemptId: 'builds' },
      image: { reference, runAsRoot },
    });
    try {
      const { stdout, stderr } = await session.exec(['sh', '-c', command]);
      return `${stdout}${stderr}`;
    } finally {
      await session.destroy();
    }
  }

  /** Of builds alone: the images stay. */
  expectNothingLeft(): void {
    expect(readdirSync(path.join(this.directory, 'cache/builds'))).toEqual([]);
    expect(this.machine.records()).toEqual([]);
    expect(this.machine.cgroups()).toEqual([]);
  }

  async close(): Promise<void> {
    await this.machine.close();
    await this.machine.expectNothingLeft();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async images(): Promise<UnpackedImages | undefined> {
    const given = {
      SANDBOX_IMAGES_DIR: path.join(this.directory, 'store'),
      SANDBOX_IMAGE_LAYOUTS: [this.#layout],
      SANDBOX_REGISTRIES: 'none' as const,
    };
    return await openImages(given, undefined);
  }
}
