import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit/shared-folder';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { closeDrivers, runVector } from '../run-vector.js';
import { readVectorEntry, readVectorFile } from '../vector-file.js';

interface PendingCase {
  readonly file: string;
  readonly case: Record<string, unknown>;
}

/**
 * Declares one test per case that is to move to the named shared files. A case of a file whose vectors share a base
 * document needs the shared folder, and one that has moved there fails until it is removed here.
 */
export function pendingSuite(...files: string[]): void {
  const text = readFileSync(path.join(import.meta.dirname, 'pending-vectors.yaml'), 'utf8');
  const { cases } = parse(text) as { cases: PendingCase[] };
  describe('pending vectors', () => {
    afterAll(closeDrivers);
    for (const { file, case: own } of cases.filter((pending) => files.includes(pending.file))) {
      const shared = path.join(sharedFolder(), 'vectors', file);
      const entry = readVectorEntry(own, file);
      test(`the pending vector ${entry.vector.id} of ${file} holds`, async () => {
        const { document, vectors } = existsSync(shared)
          ? readVectorFile(shared)
          : { document: {}, vectors: [] };
        expect(vectors.map(({ vector }) => vector.id)).not.toContain(entry.vector.id);
        await runVector(entry, document);
      });
    }
  });
}
