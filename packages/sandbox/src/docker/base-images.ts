import { createHash } from 'node:crypto';
import { HOME } from '../bubblewrap/arguments.js';
import { SharedWork } from '../packages/shared-work.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import type { EngineImages } from './engine-images.js';
import type { ImageDetails } from './engine-objects.js';
import { ScratchContainer } from './scratch.js';

/** Images of ours on the daemon; those of `BASE` are of one other image each, with the names of our users. */
const BASE_REPOSITORY = 'agentclash/sandbox';
const GROUP_FILE = '/etc/group';
const PASSWD_FILE = '/etc/passwd';

/**
 * The default image and those of templates, with names for the ids of commands: many programs refuse a user without
 * one. Derived once of each image.
 */
export class BaseImages {
  readonly #known = new Map<string, string>();
  readonly #work = new SharedWork<string>();

  constructor(
    private readonly engine: Engine,
    private readonly images: EngineImages,
    private readonly options: { owner: string; uids: { first: number; last: number } },
  ) {}

  /** The id of the derived image; the first call fixes what a tag means. Throws what a pull throws. */
  async of(name: string): Promise<string> {
    return this.#known.get(name) ?? (await this.#work.do(name, () => this.#derive(name)));
  }

  async #derive(name: string): Promise<string> {
    const { engine, options } = this;
    const { Id: image } = await this.images.details(name);
    const { first, last } = options.uids;
    const tag = createHash('sha256').update(`${image} ${first} ${last}`).digest('hex').slice(0, 32);
    const known = await engine
      .get<ImageDetails>(`/images/${BASE_REPOSITORY}:${tag}/json`)
      .catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
    const derived =
      known?.Id ??
      (await ScratchContainer.use(engine, { image, owner: options.owner }, async (scratch) => {
        const [users, groups] = [await scratch.read(PASSWD_FILE), await scratch.read(GROUP_FILE)];
        await scratch.write('/', [
          { name: 'etc/passwd', mode: 0o644, content: withUsers(users?.toString() ?? '', options.uids) },
          { name: 'etc/group', mode: 0o644, content: withGroups(groups?.toString() ?? '', options.uids) },
        ]);
        return await scratch.commit(BASE_REPOSITORY, tag);
      }));
    this.#known.set(name, derived);
    return derived;
  }
}

type Uids = { first: number; last: number };

function withUsers(text: string, uids: Uids): string {
  return withLines(
    text === '' ? 'root:x:0:0:root:/root:/bin/sh' : text,
    uids,
    (id) => `agent:x:${id}:${id}::${HOME}:/bin/sh`,
  );
}

function withGroups(text: string, uids: Uids): string {
  return withLines(text === '' ? 'root:x:0:' : text, uids, (id) => `agent:x:${id}:`);
}

/** One for each id that has none. */
function withLines(text: string, { first, last }: Uids, lineOf: (id: number) => string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const taken = new Set(lines.map((line) => Number(line.split(':')[2])));
  const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [...lines, ...ids.filter((id) => !taken.has(id)).map(lineOf), ''].join('\n');
}
