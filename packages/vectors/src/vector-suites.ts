import { existsSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit/shared-folder';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DISPUTED } from './disputed.js';
import { closeDrivers, runVector } from './run-vector.js';
import { readVectorFile } from './vector-file.js';

/** A driver may start a thread, which takes long on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Declares one test per vector of each shared conformance file. Without the shared folder a file counts as skipped. */
export function vectorSuites(...names: string[]): void {
  afterAll(closeDrivers);
  describe.each(names)('vectors %s', (name) => {
    const file = path.join(sharedFolder(), 'vectors', name);
    if (!existsSync(file)) {
      test.skip(`no ${file}: AGENTCLASH_SHARED names the folder of the vectors`, () => {});
      return;
    }
    const { document, vectors } = readVectorFile(file);
    const disputed = DISPUTED[name] ?? {};
    for (const entry of vectors) {
      const { id } = entry.vector;
      const reason = disputed[id];
      if (reason === undefined) test(id, () => runVector(entry, document), TIMEOUT_MS);
      else test.skip(`${id} (disputed: ${reason})`, () => {});
    }
    test('every disputed id exists', () => {
      const ids = vectors.map(({ vector }) => vector.id);
      expect(ids).toEqual(expect.arrayContaining(Object.keys(disputed)));
    });
    test('no vector is disputed that holds', async () => {
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
