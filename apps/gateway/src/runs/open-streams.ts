import { ContractError } from '@agentclash/contracts';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessControl } from '../access/access-control.js';
import type { Caller } from '../http/caller.js';

export interface OpenStream {
  /** Aborted when the caller disconnects, its token is revoked or expires, or the service stops. */
  signal: AbortSignal;
  close: () => void;
}

export class StreamSettings {
  constructor(
    /** Of one token, concurrently. */
    readonly streamsMax: number,
    /** Interval at which the token of a stream is checked again. */
    readonly checkMs: number,
  ) {}
}

/** Longest delay of a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The open streams of this instance: events and exports of runs. */
@Injectable()
export class OpenStreams implements BeforeApplicationShutdown {
  private readonly byOwner = new Map<string, Set<AbortController>>();
  private isClosing = false;

  constructor(
    private readonly settings: StreamSettings,
    private readonly access: AccessControl,
  ) {}

  /** Fails with `rate_limited`. */
  open({ owner, expiresAt }: Caller, request: FastifyRequest): OpenStream {
    const { socket } = request.raw;
    const { streamsMax, checkMs } = this.settings;
    const streams = this.byOwner.get(owner) ?? new Set();
    if (streams.size >= streamsMax) {
      const detail = `The token has ${streamsMax} open streams, which is the maximum.`;
      throw new ContractError('rate_limited', detail, { retry_after: 5 });
    }
    const stream = new AbortController();
    this.byOwner.set(owner, streams.add(stream));
    const close = () => {
      clearInterval(check);
      clearTimeout(expiry);
      socket.off('close', close);
      streams.delete(stream);
      if (streams.size === 0) this.byOwner.delete(owner);
      stream.abort();
    };
    const check = setInterval(() => void this.closeUnlessAdmitted(request, close), checkMs);
    const expiry = expiresAt === null ? undefined : setTimeout(close, millisecondsUntil(expiresAt));
    socket.once('close', close);
    if (this.isClosing || socket.destroyed) close();
    return { signal: stream.signal, close };
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    const all = [...this.byOwner.values()].flatMap((streams) => [...streams]);
    for (const stream of all) stream.abort();
  }

  /** A client that reconnects finds the reason in the status of its next request. */
  private async closeUnlessAdmitted(request: FastifyRequest, close: () => void): Promise<void> {
    if (!(await this.access.isStillAdmitted(request))) close();
  }
}

function millisecondsUntil(expiresAt: string): number {
  return Math.min(Math.max(0, Date.parse(expiresAt) - Date.now()), TIMER_MS_MAX);
}
