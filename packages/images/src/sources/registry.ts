import { type Egress, EgressError, type EgressStream } from '@agentclash/egress';
import { z } from 'zod';
import { ImageError, invalidImage } from '../image-error.js';
import { digestOf, whole } from '../names/digest.js';
import { type Descriptor, DOCUMENT_BYTES_MAX, INDEX_TYPES, MANIFEST_TYPES } from '../names/manifest.js';
import type { ImageReference } from '../names/reference.js';
import type { Document, ImageSource } from './source.js';

/** For a registry, by its name in references. */
export interface RegistryCredential {
  username: string;
  password: string;
}

export interface RegistryOptions {
  egress: Egress;
  credentials?: Readonly<Record<string, RegistryCredential>>;
  /** Of one blob. Default one hour. */
  timeoutMs?: number;
}

const BLOB_TIMEOUT_MS = 3_600_000;
const DOCUMENT_TIMEOUT_MS = 60_000;
const BLOB_BYTES_MAX = 32 * 1024 ** 3;
const TOKEN_BYTES_MAX = 256 * 1024;
const ACCEPT = [...INDEX_TYPES, ...MANIFEST_TYPES].join(', ');
/** The API of Docker Hub is on another host than its name. */
const HOSTS: Readonly<Record<string, string>> = { 'docker.io': 'registry-1.docker.io' };

const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/** Registries of containers, by the distribution API of OCI, through the guarded client. */
export class RegistrySource implements ImageSource {
  readonly name = 'its registry';
  /** By registry and repository. */
  readonly #authorization = new Map<string, string>();

  constructor(private readonly options: RegistryOptions) {}

  async document(reference: ImageReference, signal?: AbortSignal): Promise<Document | undefined> {
    if (isReserved(reference.registry)) return undefined;
    const { digest, tag = 'latest' } = reference;
    const stream = await this.#get(reference, `manifests/${digest ?? tag}`, {
      accept: ACCEPT,
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      maxBytes: DOCUMENT_BYTES_MAX,
      signal,
    });
    if (stream === undefined) return undefined;
    const bytes = await whole(
      reading(stream, reference),
      DOCUMENT_BYTES_MAX,
      `the manifest of ${reference.text}`,
    );
    const found = digestOf(bytes);
    if (digest !== undefined && digest !== found) {
      throw invalidImage(`the manifest of ${reference.text} has the digest ${found}`);
    }
    return { digest: found, bytes };
  }

  async *blob(
    reference: ImageReference,
    { digest }: Descriptor,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const stream = await this.#get(reference, `blobs/${digest}`, {
      timeoutMs: this.options.timeoutMs ?? BLOB_TIMEOUT_MS,
      maxBytes: BLOB_BYTES_MAX,
      signal,
    });
    if (stream === undefined)
      throw invalidImage(`the registry of ${reference.text} lacks the blob ${digest}`);
    yield* reading(stream, reference);
  }

  /** Undefined: there is none. */
  async #get(
    reference: ImageReference,
    path: string,
    request: { accept?: string; timeoutMs: number; maxBytes: number; signal?: AbortSignal | undefined },
  ): Promise<EgressStream | undefined> {
    const url = `${baseOf(reference)}/v2/${reference.repository}/${path}`;
    const first = await this.#open(url, reference, request);
    if (first.status !== 401) return found(first, reference);
    first.close();
    await this.#authorize(reference, first.headers['www-authenticate'] ?? '', request.signal);
    return found(await this.#open(url, reference, request), reference);
  }

  async #open(
    url: string,
    reference: ImageReference,
    {
      accept,
      signal,
      ...bounds
    }: { accept?: string; timeoutMs: number; maxBytes: number; signal?: AbortSignal | undefined },
  ): Promise<EgressStream> {
    const authorization = this.#authorization.get(keyOf(reference));
    try {
      return await this.options.egress.open({
        ...bounds,
        method: 'GET',
        url,
        policy: { kind: 'operator', plainHttp: 'unlocked' },
        headers: { ...(accept && { accept }), ...(authorization && { authorization }) },
        secretHeaders: ['authorization'],
        ...(signal && { signal }),
      });
    } catch (error) {
      throw unreachable(error, reference);
    }
  }

  /** By a token of the service that the registry names, or by the credential itself. */
  async #authorize(reference: ImageReference, challenge: string, signal?: AbortSignal): Promise<void> {
    const credential = this.options.credentials?.[reference.registry];
    const basic =
      credential &&
      `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`;
    if (/^basic/i.test(challenge) && basic !== undefined) {
      this.#authorization.set(keyOf(reference), basic);
      return;
    }
    const { realm, service } = parametersOf(challenge);
    if (realm === undefined || !/^bearer/i.test(challenge)) throw needsLogin(reference);
    const url = new URL(realm);
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${reference.repository}:pull`);
    const token = await this.#token(url.href, reference, basic, signal);
    this.#authorization.set(keyOf(reference), `Bearer ${token}`);
  }

  async #token(
    url: string,
    reference: ImageReference,
    basic: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const stream = await this.options.egress
      .open({
        method: 'GET',
        url,
        policy: { kind: 'operator', plainHttp: 'unlocked' },
        timeoutMs: DOCUMENT_TIMEOUT_MS,
        maxBytes: TOKEN_BYTES_MAX,
        headers: basic === undefined ? {} : { authorization: basic },
        secretHeaders: ['authorization'],
        ...(signal && { signal }),
      })
      .catch((error: unknown) => {
        throw unreachable(error, reference);
      });
    const bytes = await whole(reading(stream, reference), TOKEN_BYTES_MAX, 'the token');
    if (stream.status !== 200) throw needsLogin(reference);
    const reply = Token.safeParse(safeJson(bytes.toString()));
    const token = reply.data?.token ?? reply.data?.access_token;
    if (token === undefined)
      throw new ImageError('unavailable', `the registry of ${reference.text} gave no token`);
    return token;
  }
}

/** No registry has such a name (RFC 6761): images that were built or loaded here have it. */
function isReserved(registry: string): boolean {
  return /\.invalid(:|$)/i.test(registry);
}

/** Registries on this machine are reached by plain HTTP, and only where the operator unlocked its addresses. */
function baseOf({ registry }: ImageReference): string {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(registry);
  return `${isLocal ? 'http' : 'https'}://${HOSTS[registry] ?? registry}`;
}

function keyOf({ registry, repository }: ImageReference): string {
  return `${registry}/${repository}`;
}

async function found(stream: EgressStream, reference: ImageReference): Promise<EgressStream | undefined> {
  const { status } = stream;
  if (status === 200) return stream;
  stream.close();
  if (status === 404) return undefined;
  if (status === 401 || status === 403) throw needsLogin(reference);
  throw new ImageError('unavailable', `the registry of ${reference.text} replied with the status ${status}`);
}

function needsLogin({ text, registry }: ImageReference): ImageError {
  return invalidImage(
    `the registry does not give ${text} without a login, or with the one it has`,
    `name a credential for ${registry} in the file of SANDBOX_REGISTRY_CREDENTIALS`,
  );
}

function unreachable(error: unknown, { text, registry }: ImageReference): unknown {
  if (!(error instanceof EgressError)) return error;
  const fix =
    error.code === 'egress_blocked' ? `unlock the address of ${registry} in OPERATOR_UNLOCK` : undefined;
  const message = `the registry of ${text} cannot be reached: ${error.message}`;
  return new ImageError('unavailable', message, { cause: error, ...(fix && { fix }) });
}

async function* reading({ body }: EgressStream, reference: ImageReference): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unreachable(error, reference);
  }
}

function parametersOf(challenge: string): { realm?: string; service?: string } {
  const pairs = [...challenge.matchAll(/(realm|service)="([^"]*)"/g)].map((match) => [match[1], match[2]]);
  return Object.fromEntries(pairs) as { realm?: string; service?: string };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
