import { setTimeout as delay } from 'node:timers/promises';

/** The response to one request; status 0 where there was none. */
interface Probed {
  request: string;
  status: number;
  ms: number;
}

export interface ProbeReport {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  /** Requests that did not succeed, as `GET runs: 503`, and how often. */
  failures: Readonly<Record<string, number>>;
}

export interface ProbedApi {
  url: string;
  token: string;
  workspace: string;
}

const REQUESTS_PER_SECOND = 20;
const REQUEST_MS_MAX = 60_000;

const PACK_TEXT = JSON.stringify({ pack: { slug: 'draft', name: 'Draft', family: 'abuse' } });

interface ProbeRequest {
  path: string;
  body?: (at: number) => string;
  /** Makes a resource, which is deleted again. */
  isResource?: boolean;
}

/** Reads of what a user looks at, and two requests whose content others have to read. */
const REQUESTS: readonly ProbeRequest[] = [
  { path: 'runs?limit=10' },
  { path: 'challenge-packs' },
  { path: 'deployments' },
  { path: 'runs?status=completed' },
  { path: 'challenge-packs/validate', body: () => PACK_TEXT },
  { path: 'tools', body: tool, isResource: true },
];

/** Sends requests at a steady rate, whether or not the ones before have a response, until it is ended. */
export class ApiProbe {
  private readonly sent: Promise<Probed>[] = [];
  private readonly ended = new AbortController();
  private readonly loop: Promise<void>;

  constructor(private readonly api: ProbedApi) {
    this.loop = this.send();
  }

  async end(): Promise<ProbeReport> {
    this.ended.abort();
    await this.loop;
    return reportOf(await Promise.all(this.sent));
  }

  private async send(): Promise<void> {
    const startedAt = performance.now();
    for (let at = 0; !this.ended.signal.aborted; at += 1) {
      const dueMs = (at / REQUESTS_PER_SECOND) * 1_000 - (performance.now() - startedAt);
      if (dueMs > 0) await delay(dueMs, undefined, { signal: this.ended.signal }).catch(() => {});
      if (!this.ended.signal.aborted) this.sent.push(probed(this.api, at));
    }
  }
}

export function reportOf(probes: readonly Probed[]): ProbeReport {
  const times = probes.map(({ ms }) => ms).sort((left, right) => left - right);
  const at = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? Number.NaN;
  const failures: Record<string, number> = {};
  for (const { request, status } of probes) {
    if (status >= 200 && status < 300) continue;
    failures[`${request}: ${status}`] = (failures[`${request}: ${status}`] ?? 0) + 1;
  }
  return { requests: probes.length, p50Ms: at(0.5), p99Ms: at(0.99), failures };
}

async function probed({ url, token, workspace }: ProbedApi, at: number): Promise<Probed> {
  const { path, body, isResource } = REQUESTS[at % REQUESTS.length] as ProbeRequest;
  const request = `${body === undefined ? 'GET' : 'POST'} ${path}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const address = `${url}/v1/workspaces/${workspace}/${path}`;
  const startedAt = performance.now();
  const { status, text } = await fetch(address, {
    headers,
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
    ...(body !== undefined && { method: 'POST', body: body(at) }),
  }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => ({ status: 0, text: '' }),
  );
  const ms = performance.now() - startedAt;
  // A workspace has a maximum of resources, which a long attack would reach.
  if (isResource && status === CREATED) {
    const { id } = JSON.parse(text) as { id: string };
    await fetch(`${address}/${id}`, { method: 'DELETE', headers }).catch(() => {});
  }
  return { request, status, ms };
}

const CREATED = 201;

/** Each with parameters of its own, so that they have to be read. */
function tool(at: number): string {
  const parameters = { type: 'object', title: `probe ${at}`, properties: { city: { type: 'string' } } };
  const implementation = { mode: 'mock', mock: { response: 1 } };
  const name = `probe_${Date.now().toString(36)}_${at}`;
  return JSON.stringify({ name, tool_kind: 'primitive', definition: { parameters, implementation } });
}
