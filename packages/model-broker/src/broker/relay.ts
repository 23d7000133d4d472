import type { ServerResponse } from 'node:http';
import { isRecord } from '@agentclash/domain';
import type { ForwardedReply } from '@agentclash/models';
import { createParser } from 'eventsource-parser';
import type { Wire, WireReply } from '../wires/wire.js';

const PASSED_HEADERS = ['content-type', 'cache-control', 'request-id', 'x-request-id', 'retry-after'];

/** How relaying a reply ended: `cut` where the provider's connection broke, `disconnected` where the program's did. */
export interface Relayed {
  end: 'complete' | 'cut' | 'disconnected' | 'too_large';
  reply: WireReply;
}

/** Passes a provider's reply on as it comes and reads it meanwhile. Never rejects. */
export async function relay(
  forwarded: ForwardedReply,
  { response, wire, bytesMax }: { response: ServerResponse; wire: Wire; bytesMax: number },
): Promise<Relayed> {
  const isStream = /^text\/event-stream\b/i.test(forwarded.headers.get('content-type') ?? '');
  const reading = isStream ? new StreamReading(wire) : new WholeReading(wire);
  response.writeHead(forwarded.status, passedHeaders(forwarded.headers));
  // A client waits for the head before it reads.
  response.flushHeaders();
  const end = await pass(forwarded, response, { reading, bytesMax });
  const reply = reading.reply();
  if (end === 'complete' && !reply.isComplete) {
    response.destroy();
    return { end: 'cut', reply };
  }
  if (end === 'complete') response.end();
  else response.destroy();
  return { end, reply };
}

interface Reading {
  take(chunk: Uint8Array): void;
  reply(): WireReply;
}

async function pass(
  { body }: ForwardedReply,
  response: ServerResponse,
  { reading, bytesMax }: { reading: Reading; bytesMax: number },
): Promise<Relayed['end']> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bytesMax) return 'too_large';
      reading.take(chunk);
      if (response.destroyed) return 'disconnected';
      if (!response.write(chunk)) await drained(response);
    }
    return response.destroyed ? 'disconnected' : 'complete';
  } catch {
    return response.destroyed ? 'disconnected' : 'cut';
  }
}

/** Resolves when more may be written, or the client is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

class StreamReading implements Reading {
  readonly #decoder = new TextDecoder();
  readonly #reader;
  readonly #parser;

  constructor(wire: Wire) {
    const reader = wire.reader();
    this.#reader = reader;
    this.#parser = createParser({
      onEvent({ data }) {
        const value = parsed(data);
        if (isRecord(value)) reader.take(value);
      },
    });
  }

  take(chunk: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  reply(): WireReply {
    this.#parser.reset({ consume: true });
    return this.#reader.reply();
  }
}

class WholeReading implements Reading {
  readonly #chunks: Uint8Array[] = [];

  constructor(private readonly wire: Wire) {}

  take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  reply(): WireReply {
    const value = parsed(Buffer.concat(this.#chunks).toString());
    return isRecord(value) ? this.wire.whole(value) : this.wire.reader().reply();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function passedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
