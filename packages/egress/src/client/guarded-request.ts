import { type Deadline, startDeadline } from '../guard/deadline.js';
import { EgressError } from '../guard/errors.js';
import { createGuard, type Guard } from '../guard/guard.js';
import type { EgressSettings } from '../guard/policy.js';
import type { RecentChecks } from '../guard/recent-checks.js';
import { HopLog } from '../guard/record.js';
import type { Resolve } from '../guard/resolve.js';
import { isOriginAdmitted, type ReadUrl, readUrl, resolveLocation } from '../guard/url.js';
import { checkAddresses, type UrlViolation } from '../guard/url-check.js';
import { readBody } from './body.js';
import { type CheckedRequest, checkHttpRequest } from './http-request.js';
import { isRedirect, type Message, REDIRECTS_MAX, redirected, type SecretParts } from './redirect.js';
import type { EgressRequest, EgressStream } from './request.js';
import type { Transport, TransportResponse } from './transport.js';

const RESPONSE_BYTES_MAX = 5 * 1024 * 1024;

export interface EgressContext {
  settings: EgressSettings;
  resolve: Resolve;
  transport: Transport;
  checks: RecentChecks;
  now: () => number;
  onCause: (cause: unknown) => void;
}

/** A hop that got its response headers. */
interface HopResponse {
  url: URL;
  message: Message;
  response: TransportResponse;
  headers: Record<string, string>;
  log: HopLog;
  hops: number;
}

/** One request from its first URL to its last response, under one deadline. */
export class GuardedRequest {
  private readonly checked: CheckedRequest;
  private readonly guard: Guard;
  private readonly secrets: SecretParts;
  private readonly deadline: Deadline;

  /** Throws EgressError when the request may not be sent anywhere. */
  constructor(
    private readonly request: EgressRequest,
    private readonly context: EgressContext,
  ) {
    this.checked = checkHttpRequest(request, request.policy.kind);
    this.guard = createGuard(request.policy, context.settings);
    this.secrets = {
      headers: new Set(request.secretHeaders?.map((name) => name.toLowerCase())),
      body: request.secretBody ?? false,
    };
    this.deadline = startDeadline(this.checked.timeoutMs, () => new EgressError('timeout'), request.signal);
  }

  async run(): Promise<EgressStream> {
    try {
      let last = await this.hop(this.request.url);
      if (this.request.redirects === 'return') return this.stream(last);
      for (let location = next(last); location !== undefined; location = next(last)) {
        last.response.close();
        last.log.completed({ hops: last.hops, status: last.response.status, bytes: 0 });
        if (last.hops === REDIRECTS_MAX) throw new EgressError('too_many_redirects');
        last = await this.hop(resolveLocation(location, last.url), last);
      }
      return this.stream(last);
    } catch (error) {
      this.deadline.end();
      throw this.asEgressError(error);
    }
  }

  private async hop(target: string | { reason: UrlViolation }, from?: HopResponse): Promise<HopResponse> {
    const log = new HopLog({
      method: from?.message.method ?? this.checked.method,
      target: typeof target === 'string' ? target : '',
      now: this.context.now,
      report: this.request.onHop ?? (() => {}),
    });
    let pool: string | undefined;
    try {
      const read = typeof target === 'string' ? readUrl(target, this.guard) : target.reason;
      if (typeof read === 'string') throw refused(read);
      const message = this.messageTo(read, from);
      log.method = message.method;
      pool = this.poolOf(read);
      const pinned = await this.pin(read, pool);
      const response = await this.context.transport({
        ...message,
        ...read,
        pinned,
        signal: this.deadline.signal,
        ...(pool !== undefined && { pool }),
      });
      const headers = flatten(response.headers);
      return { url: read.url, message, response, headers, log, hops: from ? from.hops + 1 : 0 };
    } catch (error) {
      if (pool !== undefined) this.context.checks.forget(pool);
      const known = this.asEgressError(error);
      log.blocked(known.reason ?? known.code);
      throw known;
    }
  }

  /** Connections and checks are shared by requests of one pool under one policy to one origin. */
  private poolOf({ url }: ReadUrl): string | undefined {
    const { pool, policy } = this.request;
    return pool === undefined ? undefined : JSON.stringify([pool, policy, url.origin]);
  }

  private messageTo(read: ReadUrl, from: HopResponse | undefined): Message {
    const turn = from && { from: from.url, to: read.url, status: from.response.status };
    const message = from && turn ? redirected(from.message, turn, this.secrets) : this.checked;
    const bindings = this.request.secretOrigins ?? [];
    if (!bindings.every((origins) => isOriginAdmitted(read, origins)))
      throw new EgressError('secret_host_denied', from ? {} : { origin: read.url.origin });
    return message;
  }

  private async pin(read: ReadUrl, pool: string | undefined): Promise<readonly string[]> {
    const { checks } = this.context;
    const recent = pool === undefined ? undefined : checks.find(pool);
    if (recent) return recent;
    const verdict = await checkAddresses(read, {
      guard: this.guard,
      resolve: this.context.resolve,
      signal: this.deadline.signal,
    });
    if (!verdict.allowed) throw refused(verdict.reason);
    if (pool !== undefined) checks.note(pool, verdict.pinned);
    return verdict.pinned;
  }

  private stream({ url, response, headers, log, hops }: HopResponse): EgressStream {
    const { status } = response;
    let bytes = 0;
    const close = () => {
      response.close();
      this.deadline.end();
      log.completed({ hops, status, bytes });
    };
    const body = readBody(response.body, {
      encoding: headers['content-encoding'] ?? '',
      maxBytes: this.request.maxBytes ?? RESPONSE_BYTES_MAX,
      onWireBytes: (total) => {
        bytes = total;
      },
    });
    return { status, headers, url: url.href, hops, body: this.guarded(body, close), close };
  }

  private async *guarded(body: AsyncIterable<Uint8Array>, close: () => void): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw this.asEgressError(error);
    } finally {
      close();
    }
  }

  /** Any other error is a response that broke off. */
  private asEgressError(error: unknown): EgressError {
    if (this.request.signal?.aborted) return new EgressError('aborted');
    if (error instanceof EgressError) return error;
    this.context.onCause(error);
    return new EgressError('response_failed');
  }
}

function next({ response, headers }: HopResponse): string | undefined {
  if (!isRedirect(response.status)) return undefined;
  const { location } = headers;
  // Header bytes arrive as Latin-1; servers write UTF-8.
  return location === undefined ? undefined : Buffer.from(location, 'latin1').toString();
}

function refused(reason: UrlViolation): EgressError {
  return reason === 'dns_failed'
    ? new EgressError('dns_failed')
    : new EgressError('egress_blocked', { reason });
}

function flatten(headers: TransportResponse['headers']): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}
