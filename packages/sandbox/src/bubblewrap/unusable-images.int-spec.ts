import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { findTestRunsc } from '../testing/gvisor/fixture.js';
import { TestProvider } from '../testing/test-provider.js';
import type { UnpackedImages } from './image-roots.js';
import type { BubblewrapOptions } from './options.js';

const found = findTestRunsc();
const ISOLATIONS: [name: string, options: BubblewrapOptions | undefined][] = [
  ['namespaces', process.getuid?.() === 0 ? {} : undefined],
  ['gvisor', 'skipped' in found ? undefined : { isolation: 'gvisor', runsc: found.program }],
];
const REFERENCE = `host.invalid/image@sha256:${'2'.repeat(64)}`;

describe.each(ISOLATIONS)('with %s as isolation', (_, options) => {
  const testHere = options === undefined ? test.skip : test;

  testHere.each<[string, (root: string) => void]>([
    ['a file', (root) => writeFileSync(path.join(root, 'workspace'), '')],
    ['a link to a file', (root) => symlinkSync('/etc/passwd', path.join(root, 'workspace'))],
    ['a link without an end', (root) => symlinkSync('workspace', path.join(root, 'workspace'))],
  ])(
    'an image with %s in place of the workspace is invalid, by name, and leaves nothing',
    async (__, spoil) => {
      const root = mkdtempSync(path.join(tmpdir(), 'agentclash-image-'));
      mkdirSync(path.join(root, 'etc'));
      writeFileSync(path.join(root, 'etc/passwd'), '');
      spoil(root);
      const image = { reference: REFERENCE, digest: REFERENCE, env: {}, layers: [root], release: () => {} };
      const images: UnpackedImages = { prepare: async () => image };
      const machine = new TestProvider();
      const provider = await machine.open({ ...options, images });
      try {
        const labels = { runId: 'r', attemptId: 'a' };
        const created = provider.create({ limits: LIMITS, labels, image: { reference: REFERENCE } });
        await expect(created).rejects.toMatchObject({
          code: 'invalid_image',
          message: expect.stringContaining(REFERENCE),
          fix: expect.stringContaining('directories'),
        });
      } finally {
        await provider.close();
        rmSync(root, { recursive: true });
      }
      await machine.expectNothingLeft();
    },
  );
});
