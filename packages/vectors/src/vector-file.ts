import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type Format, formatOf, type Vector } from './formats.js';

/** A file without runnable vectors; the message names what was found instead. */
export class VectorFileError extends Error {}

/** A conformance file: the document that its vectors share, and each vector with its format. */
export interface VectorFile {
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly vectors: readonly { readonly vector: Vector; readonly format: Format }[];
}

/** Reads a conformance file (YAML or JSON) and finds the format of every vector, or throws a `VectorFileError`. */
export function readVectorFile(file: string): VectorFile {
  const name = path.basename(file);
  const document = parsed(file);
  const vectors = listOf(document, name).map((entry, index) =>
    readVectorEntry(entry, name, `${name}: entry ${index}`),
  );
  if (vectors.length === 0) throw new VectorFileError(`${name}: holds no vectors`);
  return { name, document, vectors };
}

/** Finds the format of one vector, or throws a `VectorFileError`. */
export function readVectorEntry(entry: unknown, name: string, at = name): VectorFile['vectors'][number] {
  const vector = identified(entry, at);
  const format = formatOf(vector);
  if (format === undefined) {
    const members = Object.keys(vector).filter((member) => member !== 'id');
    const found = typeof vector.kind === 'string' ? `kind ${vector.kind}` : `members ${members.join(', ')}`;
    throw new VectorFileError(`${name}: ${vector.id} is of no known format (${found})`);
  }
  return { vector, format };
}

function parsed(file: string): Record<string, unknown> {
  try {
    const document: unknown = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 });
    if (isMap(document)) return document;
  } catch (error) {
    throw new VectorFileError(`${path.basename(file)}: ${(error as Error).message.split('\n')[0]}`);
  }
  throw new VectorFileError(`${path.basename(file)}: is no map with a list of vectors`);
}

function listOf(document: Record<string, unknown>, name: string): unknown[] {
  const { vectors, base, cases, agents, pairs } = document;
  if (Array.isArray(vectors)) return vectors;
  if (Array.isArray(cases) && base === undefined) return cases;
  if (Array.isArray(cases) && typeof base === 'string') {
    return cases.map((entry) => (isMap(entry) ? { patch: [], ...entry } : entry));
  }
  if (isMap(agents) && Array.isArray(pairs)) {
    const each = Object.entries(agents).map(([id, agent]) => ({ id, kind: 'golden_agent', agent }));
    return [...each, { id: 'all pairs, adjusted as one family', kind: 'golden_pairs', agents, pairs }];
  }
  throw new VectorFileError(
    `${name}: has neither a list "vectors", nor a list "cases", nor "agents" with "pairs"`,
  );
}

function identified(entry: unknown, at: string): Vector {
  if (!isMap(entry)) throw new VectorFileError(`${at} is no map`);
  const { id } = entry;
  if (typeof id !== 'string' && typeof id !== 'number') throw new VectorFileError(`${at} has no id`);
  return { ...entry, id: String(id) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
