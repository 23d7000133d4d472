import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestBuilder, withoutBuilds } from '../testing/builder.js';
import { TestProvider } from '../testing/test-provider.js';

const reason = withoutBuilds();
const describeBuilds = reason === undefined ? describe : describe.skip;

describeBuilds(`builds with buildah${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  const builder = new TestBuilder();
  beforeAll(async () => {
    await builder.open({ limits: { diskBytes: 256 * 1024 ** 2 } });
  });
  beforeEach(() => {
    builder.lines.length = 0;
  });
  afterAll(async () => await builder.close());

  test('a Dockerfile is built once on an image of the store, and its image is the root of sandboxes', async () => {
    expect(builder.provider.capabilities).toMatchObject({ imageBuilds: true, networkInBuilds: false });
    const dockerfile = `FROM BASE AS made
RUN id -u > /made && cat /etc/base >> /made && rm /etc/base
FROM BASE
COPY --from=made /made /made
COPY . /app
RUN rm /etc/base && sh /app/lib/script.sh
ENV OF_BUILD=2
WORKDIR /app
`;
    const files = { 'lib/script.sh': 'echo "$OF_BASE" > /script\n' };
    const reference = await builder.build(dockerfile, { files });
    expect(reference).toMatch(/^build\.invalid\/image@sha256:[0-9a-f]{64}$/);
    expect(builder.lines.join('\n')).toContain('RUN rm /etc/base');
    const image = await builder.provider.prepareImage(reference);
    expect(image).toMatchObject({ env: { OF_BASE: '1', OF_BUILD: '2' }, workingDirectory: '/app' });
    const output = await builder.outputIn(reference, 'cat /made /script; ls /etc; ls /app; echo $OF_BUILD');
    expect(
      output.split('\n').filter((line) => !/^(passwd|group|hostname|hosts|resolv.conf)$/.test(line)),
    ).toEqual(['0', 'base1', 'Dockerfile', 'lib', '2', '']);
    builder.lines.length = 0;
    expect(await builder.build(dockerfile, { files })).toBe(reference);
    expect(builder.lines).toEqual([]);
    builder.expectNothingLeft();
  });

  test('steps are confined: no network, no mounts, no devices, no root of this machine, and neither its files nor processes', async () => {
    const steps = `FROM BASE
RUN cat /proc/net/dev > /network; cat /proc/self/uid_map > /ids; ls /proc > /processes; cat /proc/self/status > /status
RUN mount -t tmpfs none /tmp; mknod /device b 7 0; ls /proc/1/root/store; ls /store /context /bases; cat /proc/1/environ; true
`;
    const reference = await builder.build(steps);
    const output = await builder.outputIn(reference, 'cat /network');
    expect(output.match(/^ *\w+:/gm)?.map((name) => name.trim())).toEqual(['lo:']);
    expect(await builder.outputIn(reference, 'cat /ids')).toMatch(/^ *0 +[234]\d{9} +65536\n$/);
    const processes = (await builder.outputIn(reference, 'cat /processes')).match(/^\d+$/gm) ?? [];
    expect(processes.length).toBeLessThan(20);
    const status = await builder.outputIn(reference, 'cat /status');
    expect(status).toMatch(/NoNewPrivs:\t1/);
    expect(status).toMatch(/Seccomp:\t2/);
    const log = builder.lines.join('\n');
    expect(log).toMatch(/mount: .*(permission denied|not permitted)/i);
    expect(log).toMatch(/mknod: .*not permitted/i);
    expect(log).toMatch(/\/proc\/1\/root\/store': Permission denied/);
    expect(log).toMatch(/environ: Permission denied/);
    for (const name of ['/store', '/context', '/bases']) expect(log).toContain(`'${name}': No such file`);
    builder.expectNothingLeft();
  });

  test('a step that fails is an invalid image with the end of its output', async () => {
    await expect(builder.build('FROM BASE\nRUN echo the reason; exit 3\n')).rejects.toMatchObject({
      code: 'invalid_image',
      message: expect.stringMatching(/the build failed\n[\s\S]*the reason[\s\S]*exit status 3/),
    });
    builder.expectNothingLeft();
  });

  test.each([
    ['no FROM', 'RUN true\n', 'no Dockerfile with FROM'],
    ['an image that is not there', 'FROM absent.invalid/a:1\n', 'there is no image absent.invalid/a:1'],
    ['a variable without a default', 'ARG X\nFROM $X\n', 'line 2 of Dockerfile: the image $X has a variable'],
    ['a copy of what is not there', 'FROM BASE\nCOPY absent /a\n', 'absent'],
    ['a copy from outside', 'FROM BASE\nCOPY ../../etc/passwd /a\n', 'etc/passwd'],
  ])('a Dockerfile with %s is an invalid image with the reason', async (_, steps, message) => {
    await expect(builder.build(steps)).rejects.toMatchObject({
      code: 'invalid_image',
      message: expect.stringContaining(message),
    });
    builder.expectNothingLeft();
  });

  test('a build that never ends is ended, and so is one without a waiter', async () => {
    await expect(builder.build('FROM BASE\nRUN sleep 1000\n', { timeoutMs: 1_500 })).rejects.toMatchObject({
      code: 'invalid_image',
      message: 'the build did not end within 1500 ms',
    });
    builder.expectNothingLeft();
    const cancelled = new AbortController();
    const started = builder.build('FROM BASE\nRUN echo begun; sleep 1001\n', {
      signal: cancelled.signal,
      onProgress: ({ line }) => {
        if (line === 'begun') cancelled.abort(new Error('cancelled'));
      },
    });
    await expect(started).rejects.toThrow('cancelled');
  });

  test('a network is refused where builds have none', async () => {
    await expect(builder.build('FROM BASE\nRUN echo net\n', { network: 'host' })).rejects.toMatchObject({
      code: 'unsupported',
      fix: expect.stringContaining('SANDBOX_BUILD_NETWORK'),
    });
  });
});

test('a machine without buildah or images refuses builds with the next step', async () => {
  const machine = new TestProvider();
  const provider = await machine.open();
  try {
    expect(provider.capabilities).toMatchObject({ imageBuilds: false, networkInBuilds: false });
    const build = { key: '0'.repeat(64), context: '/', dockerfile: 'Dockerfile', timeoutMs: 1_000 };
    await expect(provider.buildImage(build)).rejects.toMatchObject({
      code: 'unsupported',
      fix: expect.stringContaining('install buildah'),
    });
  } finally {
    await machine.close();
    await machine.expectNothingLeft();
  }
});
