import { ContractError } from '@agentclash/contracts';
import type { FastifyRequest } from 'fastify';

export interface OpenStream {
  /** Aborted when the caller leaves or the service stops. */
  signal: AbortSignal;
  close: () => void;
}

/** The event streams that this instance holds open. */
export class OpenStreams {
  private readonly byOwner = new Map<string, Set<AbortController>>();
  private isClosing = false;

  /** `streamsMax` of one token at a time. */
  constructor(private readonly streamsMax: number) {}

  /** Fails with `rate_limited`. */
  open(owner: string, { raw: { socket } }: FastifyRequest): OpenStream {
    const streams = this.byOwner.get(owner) ?? new Set();
    if (streams.size >= this.streamsMax) {
      const detail = `The token holds ${this.streamsMax} event streams open, which is the most it may.`;
      throw new ContractError('rate_limited', detail, { retry_after: 5 });
    }
    const stream = new AbortController();
    this.byOwner.set(owner, streams.add(stream));
    const close = () => {
      socket.off('close', close);
      streams.delete(stream);
      if (streams.size === 0) this.byOwner.delete(owner);
      stream.abort();
    };
    socket.once('close', close);
    if (this.isClosing || socket.destroyed) close();
    return { signal: stream.signal, close };
  }

  closeAll(): void {
    this.isClosing = true;
    const all = [...this.byOwner.values()].flatMap((streams) => [...streams]);
    for (const stream of all) stream.abort();
  }
}
