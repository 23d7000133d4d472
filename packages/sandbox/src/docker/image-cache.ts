import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import type { ContainerSummary, ImageDetails } from './engine-objects.js';
import { sizeOf } from './image-sizes.js';

/** Tags of ours mark the images that we have pulled, built, loaded and derived; no registry has such names. */
const PULLED_REPOSITORY = 'agentclash/pulled';
export const BUILT_REPOSITORY = 'agentclash/built';
/** The tag is the digest of the manifest, which the classic store of Docker does not keep. */
export const LOADED_REPOSITORY = 'agentclash/loaded';
/** Those with the names of our users; each is of one other image. */
export const DERIVED_REPOSITORY = 'agentclash/sandbox';
const REPOSITORIES = [PULLED_REPOSITORY, BUILT_REPOSITORY, LOADED_REPOSITORY, DERIVED_REPOSITORY];
/** No registry has such a name; its digest is that of the image's configuration. */
export const BUILT_NAME = 'build.invalid/image';
/** Between the preparation of an image and its first container. */
export const IN_USE_MS = 10 * 60_000;
const TAG_CHARACTERS = 40;

/** Of an image that was loaded from an archive, by the digest of its manifest. */
export function loadedName(digest: string): string {
  return `${LOADED_REPOSITORY}:${digest.replace('sha256:', '')}`;
}

/** Bounds the size of our images on the daemon, of which others may be its user's own. */
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

  /** Those with a tag of ours, the one unused for longest first. */
  async list(): Promise<ImageDetails[]> {
    return await this.#listed({ filters: JSON.stringify({ reference: REPOSITORIES }) });
  }

  /** Removes those unused for longest while all are larger than they may be. Those of containers stay. */
  async evict(): Promise<void> {
    const all = await this.#listed({});
    const left = new Set(all.filter(({ RepoTags }) => RepoTags?.some(isOurs)));
    // The bytes of images of the daemon's user are not ours, whatever is based on them.
    const foreign = all.filter((each) => !left.has(each));
    const used = await this.#used();
    // Again after each round: an image that others are based on goes after them.
    for (let before = Infinity; left.size < before; ) {
      before = left.size;
      for (const image of left) {
        if (sizeOf([...left], foreign) <= this.bytesMax) return;
        if (used.has(image.Id) || lastUse(image) + IN_USE_MS > this.engine.now()) continue;
        if (await this.remove(image)) left.delete(image);
      }
    }
  }

  /** An image with other names loses ours alone. False where a container or another image needs it. */
  async remove({ Id, RepoTags }: ImageDetails): Promise<boolean> {
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

  /** Of containers in whatever state: the daemon protects only those that run. */
  async #used(): Promise<Set<string>> {
    const containers = await this.engine.get<ContainerSummary[]>('/containers/json', { query: { all: '1' } });
    return new Set(containers.map(({ ImageID }) => ImageID));
  }

  /** The one that was tagged last at the end. */
  async #listed(query: Record<string, string>): Promise<ImageDetails[]> {
    const listed = await this.engine.get<{ Id: string }[]>('/images/json', { query });
    const images = await Promise.all(listed.map(({ Id }) => this.#details(Id)));
    return images.filter((each) => each !== undefined).sort((a, b) => lastUse(a) - lastUse(b));
  }

  async #details(id: string): Promise<ImageDetails | undefined> {
    return await this.engine.get<ImageDetails>(`/images/${id}/json`).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error;
      return undefined;
    });
  }
}

export function isOurs(tag: string): boolean {
  return REPOSITORIES.some((repository) => tag.startsWith(`${repository}:`));
}

/** By the daemon's clock, in milliseconds. */
export function lastUse({ Metadata }: ImageDetails): number {
  return Date.parse(Metadata?.LastTagTime ?? '') || 0;
}
