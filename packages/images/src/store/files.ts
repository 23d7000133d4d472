import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const Facts = z.object({
  reference: z.string(),
  digest: z.string(),
  /** Other names of the same image. */
  names: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  workingDirectory: z.string().optional(),
  user: z.string().optional(),
  diffIds: z.array(z.string()),
});
/** An image of the store. */
export type ImageFacts = z.infer<typeof Facts>;

const LayerFacts = z.object({ bytes: z.number(), entries: z.number() });
export type LayerFacts = z.infer<typeof LayerFacts>;

export interface StoredLayer {
  diffId: string;
  bytes: number;
  /** Since it was unpacked. */
  ageMs: number;
}

const HEX_AT = 'sha256:'.length;
/** Work of a process that crashed; none takes longer. */
const LEFT_OVER_MS = 6 * 60 * 60_000;

/**
 * The directory of a store: `layers/HEX/root`, `layers/HEX/layer.json`, `images/HEX.json`, whose time is that of the last
 * use, and `work/`. Whatever is there is there in full: it is made in `work` and renamed. Several processes may share it.
 */
export class StoreFiles {
  constructor(readonly directory: string) {}

  async prepare(): Promise<void> {
    // The mode would be that of all folders made; sandboxes read tools beside the store as another user.
    await mkdir(path.dirname(this.directory), { recursive: true, mode: 0o755 });
    // Only root enters: files have the owners and modes of their images.
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    for (const name of ['layers', 'images', 'work']) {
      await mkdir(path.join(this.directory, name), { recursive: true, mode: 0o700 });
    }
    const work = path.join(this.directory, 'work');
    for (const name of await readdir(work)) {
      const left = path.join(work, name);
      const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > LEFT_OVER_MS) await rm(left, { recursive: true, force: true });
    }
  }

  workDirectory(): Promise<string> {
    return mkdtemp(path.join(this.directory, 'work', 'w-'));
  }

  layerRoot(diffId: string): string {
    return path.join(this.#layer(diffId), 'root');
  }

  hasLayer(diffId: string): boolean {
    return existsSync(this.#layer(diffId));
  }

  async layerFacts(diffId: string): Promise<LayerFacts> {
    const text = await readFile(path.join(this.#layer(diffId), 'layer.json'), 'utf8');
    return LayerFacts.parse(JSON.parse(text));
  }

  /** Moves `work`, which has `root`, to its place; another process may have been faster. */
  async addLayer(work: string, diffId: string, facts: LayerFacts): Promise<void> {
    await writeFile(path.join(work, 'layer.json'), JSON.stringify(facts));
    try {
      await rename(work, this.#layer(diffId));
    } catch (error) {
      if (!this.hasLayer(diffId)) throw error;
      await rm(work, { recursive: true, force: true });
    }
  }

  async image(digest: string): Promise<ImageFacts | undefined> {
    const text = await readFile(this.#image(digest), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const facts = Facts.safeParse(JSON.parse(text));
    const isWhole = facts.success && facts.data.diffIds.every((diffId) => this.hasLayer(diffId));
    return isWhole ? facts.data : undefined;
  }

  async addImage(facts: ImageFacts): Promise<void> {
    const work = path.join(await this.workDirectory(), 'image.json');
    await writeFile(work, JSON.stringify(facts));
    await rename(work, this.#image(facts.digest));
    await rm(path.dirname(work), { recursive: true, force: true });
  }

  /** Records that the image is in use now. */
  async touch(digest: string): Promise<void> {
    const now = new Date();
    await utimes(this.#image(digest), now, now).catch(() => {});
  }

  async images(): Promise<(ImageFacts & { unusedMs: number })[]> {
    const names = (await readdir(path.join(this.directory, 'images'))).filter((name) =>
      name.endsWith('.json'),
    );
    const found = await Promise.all(
      names.map(async (name) => {
        const digest = `sha256:${name.slice(0, -'.json'.length)}`;
        const [facts, used] = await Promise.all([
          this.image(digest),
          stat(this.#image(digest)).catch(() => undefined),
        ]);
        return facts && used ? { ...facts, unusedMs: Date.now() - used.mtimeMs } : undefined;
      }),
    );
    return found.filter((each) => each !== undefined);
  }

  async removeImage(digest: string): Promise<void> {
    await rm(this.#image(digest), { force: true });
  }

  async layers(): Promise<StoredLayer[]> {
    const names = await readdir(path.join(this.directory, 'layers'));
    return await Promise.all(
      names.map(async (name) => {
        const diffId = `sha256:${name}`;
        const [facts, made] = await Promise.all([
          this.layerFacts(diffId).catch(() => undefined),
          stat(path.join(this.#layer(diffId), 'layer.json')).catch(() => undefined),
        ]);
        return {
          diffId,
          bytes: facts?.bytes ?? 0,
          ageMs: made ? Date.now() - made.mtimeMs : Number.POSITIVE_INFINITY,
        };
      }),
    );
  }

  async removeLayer(diffId: string): Promise<void> {
    const work = await this.workDirectory();
    await rename(this.#layer(diffId), path.join(work, 'gone')).catch(() => {});
    await rm(work, { recursive: true, force: true });
  }

  #layer(diffId: string): string {
    return path.join(this.directory, 'layers', diffId.slice(HEX_AT));
  }

  #image(digest: string): string {
    return path.join(this.directory, 'images', `${digest.slice(HEX_AT)}.json`);
  }
}
