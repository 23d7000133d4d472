import { compileLexicon, type Lexicon, Scanner } from '@agentclash/redaction';

export interface PlantedValue {
  name: string;
  value: string;
}

/** An outgoing request: anything that holds text or bytes. */
export interface Outgoing {
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** Looks for planted secrets, in every form in which redaction would find a value. */
export interface CanaryDetector {
  /** The names of the planted values in a text or in data, each once, in the order of the plan. */
  find(content: string | Uint8Array): string[];
  /** The names of the planted values in an outgoing request. */
  findInRequest(request: Outgoing): string[];
}

/** A shorter value occurs in requests by chance. */
const VALUE_BYTES_MIN = 8;

export function createCanaryDetector(planted: readonly PlantedValue[]): CanaryDetector {
  const searched = planted.filter(({ value }) => Buffer.byteLength(value) >= VALUE_BYTES_MIN);
  // A lexicon keeps one key of equal values, so the value itself is the key.
  const lexicon = compileLexicon(
    searched.map(({ value }) => ({ key: value, value })),
    { kind: 'bytes' },
  );
  const find = (contents: readonly (string | Uint8Array)[]) => {
    const found = new Set(contents.flatMap((content) => valuesIn(content, lexicon)));
    return searched.filter(({ value }) => found.has(value)).map(({ name }) => name);
  };
  return {
    find: (content) => find([content]),
    findInRequest: ({ url, headers = {}, body = '' }) => find([url, ...Object.entries(headers).flat(), body]),
  };
}

function valuesIn(content: string | Uint8Array, { automaton, keys }: Lexicon): string[] {
  const labels = new Set<number>();
  const scanner = new Scanner(automaton, ({ label, isCut }) => {
    if (!isCut) labels.add(label);
  });
  scanner.feed(Buffer.from(content).toString('latin1'));
  return [...labels].map((label) => keys[label] ?? '');
}
