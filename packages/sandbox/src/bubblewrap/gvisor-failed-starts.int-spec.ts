import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { findTestRunsc } from '../testing/gvisor/fixture.js';
import { TestProvider } from '../testing/test-provider.js';
import type { BubblewrapProvider } from './provider.js';

const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };
const TEST_MS = 60_000;
const START_MS_MAX = 20_000;

/** In place of `runsc run`. */
const BROKEN = [
  { title: 'exits with a message', script: 'echo "no memory for a kernel" >&2; exit 128' },
  { title: 'exits at once with success', script: 'exit 0' },
  { title: 'is killed', script: 'kill -KILL $$' },
  { title: 'writes to the streams of the process inside', script: 'echo "no frame"; sleep 600' },
  { title: 'never begins', script: 'exec sleep 600' },
];

const found = findTestRunsc();
if ('skipped' in found) {
  test.skip(`a gVisor that ends at its very start is an error of the platform, but not here: ${found.skipped}`, () => {});
} else {
  describe('a gVisor that ends at its very start', () => {
    const machine = new TestProvider();
    const program = path.join(machine.stateDir, 'runsc-that-breaks');
    const mode = `${program}.mode`;
    let provider: BubblewrapProvider;
    beforeAll(async () => {
      const lines = ['#!/bin/sh', `[ -f ${mode} ] && . ${mode}`, `exec ${found.program} "$@"`, ''];
      writeFileSync(program, lines.join('\n'));
      chmodSync(program, 0o755);
      provider = await machine.open({ isolation: 'gvisor', runsc: program });
    }, TEST_MS);
    afterAll(async () => {
      await provider.close();
      rmSync(program, { force: true });
      await machine.expectNothingLeft();
    }, TEST_MS);

    test.each(BROKEN)(
      'one that $title is an error with the next step, nothing of it is left, and the next sandbox works',
      async ({ script }) => {
        const idle = machine.processes();
        writeFileSync(mode, script);
        const startedAt = performance.now();
        await expect(provider.create(SPEC).finally(() => rmSync(mode))).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('the sandbox did not start'),
          fix: expect.stringContaining('the log of the executor'),
        });
        expect(performance.now() - startedAt).toBeLessThan(START_MS_MAX);
        expect(machine.records()).toEqual([]);
        expect(machine.cgroups()).toEqual([]);
        expect(machine.processes()).toEqual(idle);
        const session = await provider.create(SPEC);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await session.destroy();
      },
      TEST_MS,
    );
  });
}
