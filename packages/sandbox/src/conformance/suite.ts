import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SandboxProvider } from '../contract.js';
import type { SandboxSpec } from '../spec.js';
import { BOMB_ABUSE } from './abuse-bombs.js';
import { CONTROL_ABUSE } from './abuse-control.js';
import { FILESYSTEM_ABUSE } from './abuse-filesystem.js';
import { NETWORK_ABUSE, PROXY_ABUSE } from './abuse-network.js';
import { PRIVILEGE_ABUSE } from './abuse-privilege.js';
import { RESOURCE_ABUSE } from './abuse-resources.js';
import { Bench, type SandboxTest, TEST_TIMEOUT_MS } from './bench.js';
import { DIRECTORY_TESTS } from './directory-tests.js';
import { EXEC_TESTS } from './exec-tests.js';
import { FILE_TESTS } from './file-tests.js';
import { IMAGE_TESTS } from './image-tests.js';
import { LIFECYCLE_TESTS } from './lifecycle-tests.js';
import { LISTENER_TESTS } from './listener-tests.js';
import { PROXY_TESTS } from './proxy-tests.js';
import { SNAPSHOT_TESTS } from './snapshot-tests.js';
import { STARVATION_TESTS } from './starvation-tests.js';

export const CONFORMANCE_TESTS = [
  ...EXEC_TESTS,
  ...FILE_TESTS,
  ...SNAPSHOT_TESTS,
  ...LIFECYCLE_TESTS,
  ...DIRECTORY_TESTS,
  ...LISTENER_TESTS,
  ...PROXY_TESTS,
  ...STARVATION_TESTS,
];

/** Guarantees of providers that run images. */
export { IMAGE_TESTS };

/** Attempts of hostile code and their required results. Some need `python3` in the image. */
export const ABUSE_TESTS = [
  ...FILESYSTEM_ABUSE,
  ...PRIVILEGE_ABUSE,
  ...NETWORK_ABUSE,
  ...PROXY_ABUSE,
  ...RESOURCE_ABUSE,
  ...BOMB_ABUSE,
  ...CONTROL_ABUSE,
];

export interface SuiteOptions {
  createProvider: () => Promise<SandboxProvider>;
  /** Tests this provider does not pass, by id, each with the reason. They show as skipped. */
  exceptions?: Readonly<Record<string, string>>;
  /** Less of the same where tests live from volume, so that the suite can run often. Default: all of it. */
  isQuick?: boolean;
  /** Where the tests of directories of the host make theirs; needed unless these are exceptions. */
  hostDirectories?: string | undefined;
  /** The reference of the image that `image-tests.ts` describes; needed for its tests. */
  image?: () => string;
  /** Of every sandbox of the suite, unless a test opens another. */
  spec?: () => Partial<SandboxSpec>;
  /** Runs after the provider is closed; throws when something is left of it. */
  expectNothingLeft?: () => Promise<void>;
}

/** Declares the guarantees as Jest tests against a provider. */
export function sandboxSuite(name: string, tests: readonly SandboxTest[], options: SuiteOptions): void {
  const exceptions = options.exceptions ?? {};
  describe(name, () => {
    let provider: SandboxProvider;
    let opened: SandboxProvider | undefined;
    beforeAll(async () => {
      opened = await options.createProvider();
      provider = opened;
    }, TEST_TIMEOUT_MS);
    afterAll(async () => {
      await opened?.close();
      await options.expectNothingLeft?.();
    }, TEST_TIMEOUT_MS);

    for (const { id, guarantee, timeoutMs = TEST_TIMEOUT_MS, run } of tests) {
      const reason = exceptions[id];
      if (reason !== undefined) {
        test.skip(`${id}: ${guarantee} (exception: ${reason})`, () => {});
        continue;
      }
      test(
        `${id}: ${guarantee}`,
        async () => {
          const bench = new Bench(
            provider,
            options.isQuick ?? false,
            options.hostDirectories,
            options.image?.(),
            options.spec?.(),
          );
          try {
            await run(bench);
          } finally {
            await bench.close();
          }
        },
        timeoutMs,
      );
    }
    test('every exception names a test', () => {
      const ids = new Set(tests.map((known) => known.id));
      expect(Object.keys(exceptions).filter((id) => !ids.has(id))).toEqual([]);
    });
  });
}
