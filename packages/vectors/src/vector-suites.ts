import { existsSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit/shared-folder';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DISPUTED, withoutAmended } from './disputed.js';
import { closeDrivers, runVector, runWholeVector } from './run-vector.js';
import { readVectorFile } from './vector-file.js';

/** A driver may start a thread, which takes long on a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Declares one test per vector of each shared conformance file: a name in the folder of vectors, or a path below the
 * shared folder. Without the shared folder a file counts as skipped.
 */
export function vectorSuites(...names: string[]): void {
  afterAll(closeDrivers);
  describe.each(names)('vectors %s', (name) => {
    const file = path.join(sharedFolder(), name.includes('/') ? name : `vectors/${name}`);
    if (!existsSync(file)) {
      test.skip(`every vector holds (skipped: no ${file}; AGENTCLASH_SHARED names the folder of the vectors)`, () => {});
      return;
    }
    const { document, vectors } = readVectorFile(file);
    const disputed = DISPUTED[name] ?? {};
    for (const entry of vectors) {
      const { id } = entry.vector;
      const reason = disputed[id];
      const { reasons } = withoutAmended(entry.vector);
      const amended = reasons.map((why) => ` (amended: ${why})`).join('');
      if (reason === undefined)
        test(`the vector ${id} holds${amended}`, () => runVector(entry, document), TIMEOUT_MS);
      else test.skip(`the vector ${id} holds (disputed: ${reason})`, () => {});
    }
    test('every disputed id exists', () => {
      const ids = vectors.map(({ vector }) => vector.id);
      expect(ids).toEqual(expect.arrayContaining(Object.keys(disputed)));
    });
    const amended = vectors.filter(({ vector }) => withoutAmended(vector).reasons.length > 0);
    if (amended.length > 0) {
      test('some vector fails with its amended members', async () => {
        const runs = amended.map(async (entry) =>
          runWholeVector(entry, document).then(
            () => true,
            () => false,
          ),
        );
        expect(await Promise.all(runs)).toContain(false);
      });
    }
    test('every disputed vector fails', async () => {
      const runs = vectors
        .filter(({ vector }) => Object.hasOwn(disputed, vector.id))
        .map(async (entry) =>
          runVector(entry, document).then(
            () => [entry.vector.id],
            () => [],
          ),
        );
      expect((await Promise.all(runs)).flat()).toEqual([]);
    });
  });
}
