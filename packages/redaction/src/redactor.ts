import { compileLexicon, type KeyedValue, type Lexicon } from './lexicon.js';
import { Scanner } from './scanner.js';
import { Secret } from './secret.js';
import { Selection } from './selection.js';

/** The replacement of a value. */
export const MARK = '[redacted]';

/**
 * Replaces every value by `[redacted:KEY]`, in whatever form it is written: raw, percent-encoded, JSON-escaped,
 * `\xXX`, HTML entities, hex, base64 (wrapped too), UTF-16. Marks that are already in the input stay as they are.
 */
export interface Redactor {
  text(text: string): string;
  /** A copy of a JSON value with its strings, keys and numbers redacted; a number that holds a value becomes text. */
  json<T>(value: T): T;
  /** Data that need not be text: only the bytes of values change. */
  bytes(data: Uint8Array): Uint8Array;
  /** For text in pieces; the output as a whole is that of `text`, however the input is cut. */
  stream(): RedactionStream;
}

/** `values` may be as many as an attempt opened; of equal values the first key by order names them. */
export function createRedactor(values: readonly (Secret | KeyedValue)[]): Redactor {
  const plain = values.map((value) =>
    value instanceof Secret ? { key: value.key, value: value.reveal() } : value,
  );
  const shields = [MARK, ...plain.map(({ key }) => markOf(key))];
  let forText: Lexicon | undefined;
  let forBytes: Lexicon | undefined;
  const textStream = () => {
    forText ??= compileLexicon(plain, { kind: 'text', shields });
    return new RedactionStream(forText, markOf);
  };
  const byteStream = () => {
    forBytes ??= compileLexicon(plain, { kind: 'bytes', shields });
    return new RedactionStream(forBytes, markOf);
  };
  const text = (input: string) => (plain.length === 0 ? input : whole(textStream(), input));
  return {
    text,
    json: (value) => redactJson(value, text),
    bytes: (data) => {
      if (plain.length === 0) return data;
      const latin1 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1');
      const redacted = whole(byteStream(), latin1);
      return redacted === latin1 ? data : Buffer.from(redacted, 'latin1');
    },
    stream: textStream,
  };
}

function markOf(key: string): string {
  return `[redacted:${key}]`;
}

function whole(stream: RedactionStream, input: string): string {
  return stream.push(input) + stream.end();
}

function redactJson<T>(value: T, text: (input: string) => string): T;
function redactJson(value: unknown, text: (input: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    const digits = String(value);
    const redacted = text(digits);
    return redacted === digits ? value : redacted;
  }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [text(key), redactJson(member, text)]),
  );
}

/** Redacts text in pieces. Text that could still become part of a match is held back. */
export class RedactionStream {
  private held = '';
  /** Where `held` begins in the whole input. */
  private origin = 0;
  private readonly selection = new Selection();
  private readonly scanner: Scanner;

  constructor(
    private readonly lexicon: Lexicon,
    private readonly markOf: (key: string) => string,
  ) {
    this.scanner = new Scanner(lexicon.automaton, (span) => this.selection.add(span));
  }

  /** The part of the input so far that is decided. */
  push(text: string): string {
    this.held += text;
    this.scanner.feed(text);
    return this.release(this.scanner.settled);
  }

  /** The rest. */
  end(): string {
    return this.release(this.origin + this.held.length);
  }

  private release(settled: number): string {
    const { chosen, until } = this.selection.take(settled);
    let output = '';
    let at = this.origin;
    for (const { start, end, label } of chosen) {
      output += this.held.slice(at - this.origin, start - this.origin);
      output += this.markOf(this.lexicon.keys[label] ?? '');
      at = end;
    }
    output += this.held.slice(at - this.origin, until - this.origin);
    this.held = this.held.slice(until - this.origin);
    this.origin = until;
    return output;
  }
}
