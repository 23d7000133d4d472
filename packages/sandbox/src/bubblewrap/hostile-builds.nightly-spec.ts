import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBuilder, withoutBuilds } from '../testing/builder.js';

const reason = withoutBuilds();
const describeBuilds = reason === undefined ? describe : describe.skip;
const MIB = 1024 ** 2;

describeBuilds(`hostile Dockerfiles${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  const builder = new TestBuilder();
  beforeAll(async () => {
    const limits = { diskBytes: 256 * MIB, memoryBytes: 128 * MIB, pids: 64, cpu: 1 };
    await builder.open({ limits });
  });
  afterAll(async () => await builder.close());

  test.each([
    [
      'fills its disk',
      'RUN dd if=/dev/zero of=/zeros bs=1M count=1000',
      'more than the 268435456 bytes of disk',
    ],
    ['takes more memory than it has', 'RUN tail /dev/zero', 'more than the 134217728 bytes of memory'],
    ['starts processes without an end', 'RUN f() { f & f; }; f; sleep 1; exit 7', 'the build failed'],
    [
      'writes without an end',
      'RUN while :; do echo 0123456789012345678901234567890123456789; done',
      'did not end within 10000 ms',
    ],
    ['writes a line without an end', 'RUN tr "\\\\000" x </dev/zero', /did not end within 10000 ms|memory/],
    ['ends the processes of its build', 'RUN kill -9 -1; sleep 1', 'the build failed'],
  ])('a Dockerfile that %s is an invalid image and leaves nothing', async (_, step, message) => {
    const expected =
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message);
    const building = builder.build(`FROM BASE\n${step}\n`, { timeoutMs: 10_000 });
    await expect(building).rejects.toMatchObject({ code: 'invalid_image', message: expected });
    builder.expectNothingLeft();
  });

  test('set-id bits, links that lead out and names of the platform in the image are harmless', async () => {
    const steps = `FROM BASE
RUN cat /bin/id > /bin/own-id && chmod 6755 /bin/own-id && ln -s /proc/1/root /out && ln -s ../../../.. /up
RUN touch /.wh..wh..opq /etc/.wh.base 2>/dev/null; true
`;
    const result = await builder.build(steps).then(
      async (reference) => await builder.outputIn(reference, '/bin/own-id -u; stat -c %a /bin/own-id'),
      (error: unknown) => error,
    );
    if (typeof result === 'string') expect(result).toBe('1000\n755\n');
    else expect(result).toMatchObject({ code: 'invalid_image' });
    builder.expectNothingLeft();
  });

  test('a build whose owner has died leaves nothing once another process looks', async () => {
    const id = 'sb-0123456789abcdef';
    const work = path.join(builder.directory, 'cache/builds', id);
    mkdirSync(path.join(work, 'context'), { recursive: true });
    writeFileSync(path.join(work, 'disk'), 'left');
    const record = { id, uid: 2 ** 31 + 65_536, owner: { pid: 2 ** 22, startTicks: '1' }, labels: {} };
    writeFileSync(
      path.join(builder.machine.stateDir, 'live', `${record.uid}.json`),
      JSON.stringify({ ...record, labels: { runId: 'build', attemptId: 'key' } }),
    );
    expect(await builder.provider.reap()).toEqual({ removed: [id] });
    builder.expectNothingLeft();
  });
});
