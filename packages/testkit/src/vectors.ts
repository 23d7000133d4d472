import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from '@jest/globals';
import { parse } from 'yaml';

const repository = path.resolve(import.meta.dirname, '../../..');

/** The folder with conformance vectors and data: `AGENTCLASH_SHARED`, else `../shared` beside the repository. */
export function sharedFolder(): string {
  return process.env.AGENTCLASH_SHARED ?? path.resolve(repository, '../shared');
}

export interface VectorSuite<V> {
  /** Picks the vectors out of the parsed file; default: its member `vectors`. */
  select?: (document: Record<string, unknown>) => V[];
  /** Vectors we believe to be wrong, by id, each with the reason. They show as skipped, never silently. */
  disputed?: Record<string, string>;
}

/**
 * Declares one test per vector of a conformance file. Without the shared folder the suite counts as skipped.
 * `run` throws (or rejects) when the product disagrees with the vector.
 */
export function vectorSuite<V extends { id: string }>(
  file: string,
  run: (vector: V, document: Record<string, unknown>) => void | Promise<void>,
  suite: VectorSuite<V> = {},
): void {
  const full = path.join(sharedFolder(), 'vectors', file);
  describe(`vectors ${file}`, () => {
    if (!existsSync(full)) {
      test.skip(`no shared folder at ${sharedFolder()}: set AGENTCLASH_SHARED to run ${file}`, () => {});
      return;
    }
    const document = parse(readFileSync(full, 'utf8'), { maxAliasCount: -1 }) as Record<string, unknown>;
    const vectors = suite.select ? suite.select(document) : (document.vectors as V[]);
    const disputed = suite.disputed ?? {};
    for (const vector of vectors) {
      const reason = disputed[vector.id];
      if (reason === undefined) test(vector.id, () => run(vector, document));
      else test.skip(`${vector.id} (disputed: ${reason})`, () => {});
    }
    test('every disputed id exists', () => {
      const ids = new Set(vectors.map((vector) => vector.id));
      const stray = Object.keys(disputed).filter((id) => !ids.has(id));
      if (stray.length > 0) throw new Error(`disputed vectors that do not exist: ${stray.join(', ')}`);
    });
  });
}
