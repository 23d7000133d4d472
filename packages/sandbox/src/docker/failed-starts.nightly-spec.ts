import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../conformance/bench.js';
import { findProgram } from '../host/config.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import type { DockerProvider } from './provider.js';

const TEST_MS = 120_000;
const START_MS_MAX = 30_000;
const SPEC = { limits: LIMITS, labels: { runId: 'r', attemptId: 'a' } };

/** Of a runtime, by the commands of OCI; `$runc` is the one that works, `$bundle` the folder of what is to be created. */
const BROKEN = [
  {
    title: 'whose runtime cannot create it',
    script: '[ $command = create ] && { echo "no memory for a container" >&2; exit 1; }',
    message: 'the Docker daemon does not start a container on the runtime breaks',
  },
  {
    title: 'whose first process ends at once',
    script: `[ $command = create ] && sed -i 's|"/agentclash/inside"|"/usr/bin/false"|' $bundle/config.json`,
    message: 'the sandbox did not start: the first process of the sandbox ended with the exit code 1',
  },
  {
    title: 'that is started without its first process',
    script: '[ $command = start ] && exit 0',
    message: 'the sandbox did not start: the sandbox does not respond',
  },
];

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`containers that end at their very start are errors, but not here: ${reason}`, () => {});
} else {
  describe('containers that end at their very start', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-runtime-'));
    const runtime = path.join(folder, 'breaks');
    const mode = path.join(folder, 'mode');
    const docker = new PrivateEngine({ runtimes: { breaks: { path: runtime } } });
    let provider: DockerProvider;
    beforeAll(async () => {
      const lines = [
        '#!/bin/sh',
        `runc=${findProgram('runc') ?? 'runc'}`,
        'for each; do',
        '  [ "$before" = --bundle ] && bundle=$each',
        '  case $each in create | start) command=$each ;; esac; before=$each',
        'done',
        `[ -n "$command" ] && [ -f ${mode} ] && . ${mode}`,
        'exec $runc "$@"',
      ];
      writeFileSync(runtime, `${lines.join('\n')}\n`);
      chmodSync(runtime, 0o755);
      await docker.start();
      await docker.importImage();
      provider = await docker.open({ runtime: 'breaks', pool: { size: 0 } });
    }, TEST_MS);
    afterAll(async () => {
      await docker.close();
      rmSync(folder, { recursive: true });
    }, TEST_MS);

    test.each(BROKEN)(
      'one $title is an error with the next step, nothing of it is left, and the next one works',
      async ({ script, message }) => {
        writeFileSync(mode, `${script}\n`);
        const startedAt = performance.now();
        await expect(provider.create(SPEC).finally(() => rmSync(mode))).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining(message),
          fix: expect.stringContaining('the log of the executor'),
        });
        expect(performance.now() - startedAt).toBeLessThan(START_MS_MAX);
        expect(await docker.containers()).toEqual([]);
        expect(docker.remains()).toEqual([]);
        const session = await provider.create(SPEC);
        expect((await session.exec(['true'])).exitCode).toBe(0);
        await session.destroy();
      },
      TEST_MS,
    );
  });
}
