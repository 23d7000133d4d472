import { request } from 'undici';
import { serviceAgent } from '../remote/service-agent.js';
import { SandboxError } from '../sandbox-error.js';

export interface E2bOptions {
  apiKey: string;
  /** Registered templates of the account: name to id. Each fixes CPU, memory and disk of its sandboxes. */
  templates?: Readonly<Record<string, string>> | undefined;
  /** Default: `base`. */
  defaultTemplate?: string | undefined;
  /** The static program of the process inside, for the machines of the service (x64). */
  insideTool: string;
  /** The owner of the sandboxes of this process: stable over its restarts, unique among live ones. */
  owner: string;
  /** Default: `https://api.e2b.app`. */
  apiUrl?: string | undefined;
  /** Address of the daemon of a sandbox. Default: port 49983 of the sandbox's own name. */
  sandboxUrl?: (id: string, domain: string) => string;
  reapEveryMs?: number;
  /** Interval of queries of the state of a template under construction. Default 2 s. */
  pollIntervalMs?: number;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}

const REQUEST_MS = 60_000;
const NOT_FOUND = 404;
const API_URL = 'https://api.e2b.app';
const DOMAIN = 'e2b.app';
/** Of the service and of the daemons in its sandboxes. */
export const CONNECTIONS = serviceAgent();

export interface E2bSandbox {
  sandboxID: string;
  domain?: string | null;
  envdAccessToken?: string | null;
}

/** A template of the account. */
export interface E2bTemplate {
  templateID: string;
  /** Those of an account may carry its name in front: `account/name`. */
  names?: readonly string[];
  aliases?: readonly string[];
  cpuCount: number;
  memoryMB: number;
  buildStatus: BuildStatus;
}

type BuildStatus = 'building' | 'waiting' | 'ready' | 'error';

export interface E2bBuild {
  status: BuildStatus;
  reason?: { message: string; logEntries?: readonly { message: string }[] };
  logEntries?: readonly { message: string }[];
}

interface NewTemplate {
  name: string;
  cpuCount?: number;
  memoryMB?: number;
}

/** The calls to the service that sandboxes need. All throw `unavailable`. */
export class E2bApi {
  constructor(private readonly options: E2bOptions) {}

  /** It ends by itself after `timeoutMs` unless extended. Nothing but us can reach it, and it reaches nothing. */
  create(templateID: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<E2bSandbox> {
    const body = {
      templateID,
      timeout: Math.ceil(timeoutMs / 1000),
      metadata: this.#metadata,
      secure: true,
      allow_internet_access: false,
    };
    return this.#call<E2bSandbox>('POST', '/v2/sandboxes', { body, signal });
  }

  async extend(id: string, timeoutMs: number): Promise<void> {
    const body = { timeout: Math.ceil(timeoutMs / 1000) };
    await this.#call('POST', `/sandboxes/${encodeURIComponent(id)}/timeout`, { body });
  }

  /** Absent is fine. */
  async remove(id: string): Promise<void> {
    await this.#call('DELETE', `/sandboxes/${encodeURIComponent(id)}`);
  }

  /** Those of this owner. */
  list(): Promise<E2bSandbox[]> {
    const metadata = new URLSearchParams(this.#metadata).toString();
    return this.#call('GET', `/v2/sandboxes?${new URLSearchParams({ metadata })}`);
  }

  templates(): Promise<E2bTemplate[]> {
    return this.#call('GET', '/v2/templates');
  }

  /** Begins to build a template from another; the name of the build. */
  async buildTemplate(template: NewTemplate, from: { fromTemplate: string; steps: readonly object[] }) {
    const { templateID, buildID } = await this.#call<{ templateID: string; buildID: string }>(
      'POST',
      '/v3/templates',
      { body: template },
    );
    await this.#call('POST', `/v2/templates/${templateID}/builds/${buildID}`, { body: from });
    return { templateID, buildID };
  }

  build({ templateID, buildID }: { templateID: string; buildID: string }): Promise<E2bBuild> {
    return this.#call('GET', `/templates/${templateID}/builds/${buildID}/status`);
  }

  urlOf({ sandboxID, domain }: E2bSandbox): string {
    const named = (id: string, at: string) => `https://49983-${id}.${at}`;
    return (this.options.sandboxUrl ?? named)(sandboxID, domain || DOMAIN);
  }

  get #url(): string {
    return this.options.apiUrl ?? API_URL;
  }

  get #metadata() {
    return { 'agentclash-owner': this.options.owner };
  }

  async #call<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { body, signal }: { body?: object; signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const timeout = AbortSignal.timeout(REQUEST_MS);
    try {
      const response = await request(`${this.#url}${path}`, {
        method,
        dispatcher: CONNECTIONS,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: { 'x-api-key': this.options.apiKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { statusCode: status } = response;
      const text = await response.body.text();
      if (status < 300) return (text === '' ? undefined : JSON.parse(text)) as T;
      if (method === 'DELETE' && status === NOT_FOUND) return undefined as T;
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new SandboxError('unavailable', 'the sandbox service does not do what a sandbox needs', {
        cause,
        fix: `see that E2B_API_KEY is a key of the account, and that this machine reaches ${this.#url}`,
      });
    }
  }
}
