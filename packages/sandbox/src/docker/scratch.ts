import { randomBytes } from 'node:crypto';
import { type ArchiveFile, archiveOf, firstFile } from './archive.js';
import { removeContainer } from './containers.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import { LABEL, MANAGER } from './engine-objects.js';

const LIFE_MS = 10 * 60_000;

/** A container that is never started: it shows and takes files of an image and of mounts. */
export class ScratchContainer {
  private constructor(
    readonly id: string,
    private readonly engine: Engine,
  ) {}

  /** Removed when `work` has ended. */
  static async use<T>(
    engine: Engine,
    options: { image: string; owner: string; hostConfig?: object },
    work: (scratch: ScratchContainer) => Promise<T>,
  ): Promise<T> {
    const name = `scratch-${randomBytes(8).toString('hex')}`;
    const body = {
      Image: options.image,
      Entrypoint: ['/absent'],
      Cmd: [],
      Labels: {
        [LABEL.managedBy]: MANAGER,
        [LABEL.owner]: options.owner,
        [LABEL.expires]: new Date(engine.now() + LIFE_MS).toISOString(),
      },
      NetworkDisabled: true,
      HostConfig: { NetworkMode: 'none', LogConfig: { Type: 'none' }, ...options.hostConfig },
    };
    try {
      await engine.post('/containers/create', { query: { name }, body });
      return await work(new ScratchContainer(name, engine));
    } finally {
      await removeContainer(engine, name);
    }
  }

  /** A regular file of less than 16 MiB; undefined where there is none. */
  async read(file: string): Promise<Buffer | undefined> {
    try {
      const query = { path: file };
      return (await firstFile(await this.engine.bytes('GET', this.#archive, { query })))?.content;
    } catch (error) {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    }
  }

  async write(directory: string, files: readonly ArchiveFile[]): Promise<void> {
    const body = await archiveOf(files);
    await this.engine.json('PUT', this.#archive, { query: { path: directory }, body });
  }

  /** The id of an image with what was written. */
  async commit(repo: string, tag: string): Promise<string> {
    const query = { container: this.id, repo, tag, pause: '0' };
    const { Id } = await this.engine.post<{ Id: string }>('/commit', { query, body: {} });
    return Id;
  }

  get #archive(): string {
    return `/containers/${this.id}/archive`;
  }
}
