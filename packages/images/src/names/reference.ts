import { invalidImage } from '../image-error.js';

/** The name of an image: `[REGISTRY[:PORT]/]REPOSITORY[:TAG][@sha256:HEX]`. */
export interface ImageReference {
  /** As given. */
  text: string;
  /** Such as `docker.io`, the default, or `localhost:5000`. */
  registry: string;
  /** `library/` precedes a single name of docker.io. */
  repository: string;
  tag?: string;
  digest?: string;
}

const DEFAULT_REGISTRY = 'docker.io';
const LENGTH_MAX = 512;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REPOSITORY = new RegExp(`^${PATH_PART}(?:/${PATH_PART})*$`);
const REGISTRY = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const FORM = 'write NAME@sha256:DIGEST, such as docker.io/library/debian@sha256: and 64 hexadecimal digits';

export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** Of no registry and no repository, as tools of OCI name an image in a layout. */
export function isTag(text: string | undefined): text is string {
  return text !== undefined && TAG.test(text);
}

/** Throws `invalid_image` with the expected form. */
export function parseReference(text: string): ImageReference {
  const wrong = (part: string) => invalidImage(`${JSON.stringify(text.slice(0, 100))}: ${part}`, FORM);
  if (text.length > LENGTH_MAX) throw wrong(`a reference has at most ${LENGTH_MAX} characters`);
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) {
    throw wrong('the digest must be sha256: and 64 lower-case hexadecimal digits');
  }
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = /[.:[]/.test(first) || first === 'localhost';
  const registry = hasRegistry ? first : DEFAULT_REGISTRY;
  const rest = hasRegistry ? named.slice(slash + 1) : named;
  const colon = rest.indexOf(':');
  const path = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? undefined : rest.slice(colon + 1);
  if (!REGISTRY.test(registry)) throw wrong('the name of the registry is malformed');
  if (!REPOSITORY.test(path))
    throw wrong('a repository has lower-case letters, digits, and . _ - between them');
  if (tag !== undefined && !TAG.test(tag)) throw wrong('the tag is malformed');
  const isShort = registry === DEFAULT_REGISTRY && !path.includes('/');
  return {
    text,
    registry,
    repository: isShort ? `library/${path}` : path,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The same image by its digest alone, in full. */
export function pinned({ registry, repository }: ImageReference, digest: string): string {
  return `${registry}/${repository}@${digest}`;
}

/** The name that archives and layouts record for an image: with registry and tag, without digest. */
export function tagName({ registry, repository, tag = 'latest' }: ImageReference): string {
  return `${registry}/${repository}:${tag}`;
}
