import { isRecord, type JsonValue, type WireKey } from '@agentclash/domain';
import { createParser } from 'eventsource-parser';
import { WIRES } from '../routes.js';
import { parsedJson, parsedText } from '../wires/json.js';
import type { ReplyReader, WireReply } from '../wires/wire.js';

/** The bytes of a provider's reply, before they are read. Plain data, so that another thread can read it. */
export interface RawModelReply {
  wire: WireKey;
  isStream: boolean;
  reply: Uint8Array;
}

/** Arguments of a call with more values stay text: later steps visit each value. */
const ARGUMENT_VALUES_MAX = 20_000;

/** Reads a reply as far as it goes. Pure. */
export function readModelReply({ wire, isStream, reply }: RawModelReply): WireReply {
  if (!isStream) {
    const value = parsedJson(reply);
    return bounded(isRecord(value) ? WIRES[wire].whole(value) : WIRES[wire].reader().reply());
  }
  const events = new EventReader(WIRES[wire].reader());
  events.take(reply);
  return events.reply();
}

/** Reads the events of a stream as they come. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  readonly #parser;

  constructor(private readonly reader: ReplyReader) {
    this.#parser = createParser({
      onEvent({ data }) {
        const value = parsedText(data);
        if (isRecord(value)) reader.take(value);
      },
    });
  }

  take(chunk: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  reply(): WireReply {
    this.#parser.reset({ consume: true });
    return bounded(this.reader.reply());
  }
}

function bounded(reply: WireReply): WireReply {
  const toolCalls = reply.toolCalls.map((call) =>
    hasMoreValues(call.arguments, ARGUMENT_VALUES_MAX)
      ? { ...call, arguments: JSON.stringify(call.arguments) }
      : call,
  );
  return { ...reply, toolCalls };
}

function hasMoreValues(value: JsonValue, valuesMax: number): boolean {
  const rest: unknown[] = [value];
  for (let count = 0; rest.length > 0; count += 1) {
    if (count + rest.length > valuesMax) return true;
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    // Spreading millions of values would exhaust the stack.
    for (const member of Object.values(next)) rest.push(member);
  }
  return false;
}
