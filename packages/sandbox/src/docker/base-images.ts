import { createHash } from 'node:crypto';
import { HOME } from '../bubblewrap/arguments.js';
import { SharedWork } from '../packages/shared-work.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import type { EngineImages } from './engine-images.js';
import type { ImageDetails } from './engine-objects.js';
import { DERIVED_REPOSITORY, IN_USE_MS } from './image-cache.js';
import { ScratchContainer } from './scratch.js';

const GROUP_FILE = '/etc/group';
/** For longer than that one that was used is not removed. */
const FRESH_MS = IN_USE_MS / 2;
const PASSWD_FILE = '/etc/passwd';

/**
 * The default image and those of templates, with names for the ids of commands: many programs refuse a user without
 * one. Derived once of each image.
 */
export class BaseImages {
  readonly #known = new Map<string, Derived>();
  readonly #work = new SharedWork<string>();

  constructor(
    private readonly engine: Engine,
    private readonly images: EngineImages,
    private readonly options: { owner: string; uids: { first: number; last: number } },
  ) {}

  /** The id of the derived image; the first call fixes what a tag means. Throws what a pull throws. */
  async of(name: string): Promise<string> {
    const known = this.#known.get(name);
    if (known !== undefined && known.usedAt + FRESH_MS > performance.now()) return known.id;
    return await this.#work.do(name, async () => {
      const image = await this.#baseOf(name, known);
      const id = await this.#derive(image);
      this.#known.set(name, { image, id, usedAt: performance.now() });
      return id;
    });
  }

  /** The same one as before, while the daemon has it. */
  async #baseOf(name: string, known: Derived | undefined): Promise<string> {
    const before = known && (await this.images.find(known.image));
    return (before ?? (await this.images.details(name))).Id;
  }

  /** Another executor may have removed the one that was unused for longest. */
  async #derive(image: string): Promise<string> {
    const { engine, options } = this;
    const { first, last } = options.uids;
    const tag = createHash('sha256').update(`${image} ${first} ${last}`).digest('hex').slice(0, 32);
    const known = await engine
      .get<ImageDetails>(`/images/${DERIVED_REPOSITORY}:${tag}/json`)
      .catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
    if (known !== undefined) {
      await this.images.cache.keep(known, false);
      return known.Id;
    }
    return await ScratchContainer.use(engine, { image, owner: options.owner }, async (scratch) => {
      const [users, groups] = [await scratch.read(PASSWD_FILE), await scratch.read(GROUP_FILE)];
      await scratch.write('/', [
        { name: 'etc/passwd', mode: 0o644, content: withUsers(users?.toString() ?? '', options.uids) },
        { name: 'etc/group', mode: 0o644, content: withGroups(groups?.toString() ?? '', options.uids) },
      ]);
      return await scratch.commit(DERIVED_REPOSITORY, tag);
    });
  }
}

interface Derived {
  /** The id of the image that it is of. */
  image: string;
  id: string;
  /** By the monotonic clock. */
  usedAt: number;
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
