import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import type { ImageDetails } from './engine-objects.js';

/** Tags of ours mark the images that we have pulled and built; no registry has such names. */
const PULLED_REPOSITORY = 'agentclash/pulled';
export const BUILT_REPOSITORY = 'agentclash/built';
/** No registry has such a name; its digest is that of the image's configuration. */
export const BUILT_NAME = 'build.invalid/image';
/** Between the preparation of an image and its first container. */
const IN_USE_MS = 10 * 60_000;
const TAG_CHARACTERS = 40;

/** Bounds the size of the images of packs on the daemon, of which others may be its user's own. */
export class ImageCache {
  constructor(
    private readonly engine: Engine,
    private readonly bytesMax: number,
  ) {}

  /** An image of ours was used now; the daemon keeps the time of the tag. */
  async keep({ Id, RepoTags }: ImageDetails, isPulled: boolean): Promise<void> {
    const known = RepoTags?.find(isOurs);
    if (known === undefined && !isPulled) return;
    const [repo = '', tag = ''] = known?.split(':') ?? [
      PULLED_REPOSITORY,
      Id.replace('sha256:', '').slice(0, TAG_CHARACTERS),
    ];
    await this.engine.post(`/images/${Id}/tag`, { query: { repo, tag } });
  }

  /** Removes those unused for longest while all are larger than they may be. Those of containers stay. */
  async evict(): Promise<void> {
    const filters = JSON.stringify({ reference: [PULLED_REPOSITORY, BUILT_REPOSITORY] });
    const listed = await this.engine.get<{ Id: string }[]>('/images/json', { query: { filters } });
    const images = (await Promise.all(listed.map(({ Id }) => this.#details(Id)))).filter(
      (each) => each !== undefined,
    );
    const oldestFirst = images.sort((a, b) => lastUse(a) - lastUse(b));
    let bytes = images.reduce((sum, { Size }) => sum + Size, 0);
    for (const image of oldestFirst) {
      if (bytes <= this.bytesMax || lastUse(image) + IN_USE_MS > this.engine.now()) return;
      if (await this.#remove(image)) bytes -= image.Size;
    }
  }

  async #details(id: string): Promise<ImageDetails | undefined> {
    return await this.engine.get<ImageDetails>(`/images/${id}/json`).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
      return undefined;
    });
  }

  /** An image with other names loses ours alone. */
  async #remove({ Id, RepoTags }: ImageDetails): Promise<boolean> {
    const [ours, others] = [RepoTags?.filter(isOurs) ?? [], RepoTags?.filter((tag) => !isOurs(tag)) ?? []];
    try {
      for (const name of others.length > 0 ? ours : [Id]) {
        const query = { force: others.length > 0 ? '0' : '1' };
        await this.engine.json('DELETE', `/images/${name}`, { query });
      }
      return true;
    } catch (error) {
      if (!hasStatus(error, 404, 409)) throw error;
      return hasStatus(error, 404);
    }
  }
}

function isOurs(tag: string): boolean {
  return tag.startsWith(`${PULLED_REPOSITORY}:`) || tag.startsWith(`${BUILT_REPOSITORY}:`);
}

function lastUse({ Metadata }: ImageDetails): number {
  return Date.parse(Metadata?.LastTagTime ?? '') || 0;
}
