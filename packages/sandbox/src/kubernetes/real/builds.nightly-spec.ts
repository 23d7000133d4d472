import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostRoot, writeLayout } from '@agentclash/images/fixture';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../conformance/bench.js';
import type { ImageBuild } from '../../image.js';
import { FakeRegistry } from '../../testing/kubernetes/fake-registry.js';
import { RealCluster } from '../../testing/kubernetes/real-cluster.js';
import type { BuilderOptions } from '../build-job.js';
import type { KubernetesProvider } from '../provider.js';

const { AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_BARE_NODE, AGENTCLASH_TEST_BUILDER_IMAGE } = process.env;
const TEST_MS = 360_000;
const PROGRAMS = ['sh', 'cat', 'chown', 'id', 'ls', 'mount', 'sleep', 'stat', 'dd', 'env', 'unshare', 'head'];

if (
  AGENTCLASH_TEST_KUBECONFIG === undefined ||
  AGENTCLASH_TEST_BARE_NODE === undefined ||
  AGENTCLASH_TEST_BUILDER_IMAGE === undefined
) {
  test.skip('a real cluster builds Dockerfiles: set AGENTCLASH_TEST_KUBECONFIG, AGENTCLASH_TEST_BARE_NODE and AGENTCLASH_TEST_BUILDER_IMAGE (pnpm test:kubernetes)', () => {});
} else {
  const image = AGENTCLASH_TEST_BUILDER_IMAGE;
  const node = AGENTCLASH_TEST_BARE_NODE;

  describe.each(['rootless', 'root'] as const)(
    'a real cluster builds Dockerfiles with a builder: %s',
    (user) => {
      const cluster = new RealCluster(process.env, 'baseline');
      const directory = mkdtempSync(path.join(tmpdir(), 'agentclash-pod-builds-'));
      const lines: string[] = [];
      /** Of what has begun, should the set-up fail half-way. */
      const endings: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
      let registry: FakeRegistry;
      let options: BuilderOptions;
      let provider: KubernetesProvider;
      let base = '';

      beforeAll(async () => {
        registry = await FakeRegistry.start('0.0.0.0');
        endings.unshift(() => registry.close());
        const layout = path.join(directory, 'layout');
        const digest = await writeLayout(layout, {
          name: 'base.invalid/base:v1',
          layers: [hostRoot(PROGRAMS), [{ name: 'etc/base', content: 'base\n' }]],
          env: ['PATH=/usr/bin', 'OF_BASE=1'],
        });
        registry.add(layout);
        base = `${node}:${registry.port}/base@${digest}`;
        await cluster.start();
        const namespace = await cluster.startBuilds();
        await cluster.limitRights();
        options = {
          ...{ namespace, image, user, isInsecure: true },
          repository: `${node}:${registry.port}/built`,
          pullRepository: `${registry.host}/built`,
          limits: { cpu: 1, memoryBytes: 512 << 20, diskBytes: 1 << 30 },
        };
        provider = await cluster.open({ builds: options });
        endings.unshift(() => provider.close());
      }, TEST_MS);
      beforeEach(() => {
        lines.length = 0;
      });
      afterAll(async () => {
        for (const end of endings) await end();
        await cluster.expectNothingLeft();
      }, TEST_MS);

      function order(steps: string, files: Readonly<Record<string, string>> = {}): ImageBuild {
        const context = mkdtempSync(path.join(directory, 'context-'));
        const all = { Dockerfile: steps.replaceAll('BASE', base), ...files };
        for (const [name, content] of Object.entries(all)) {
          mkdirSync(path.dirname(path.join(context, name)), { recursive: true });
          writeFileSync(path.join(context, name), content, { mode: 0o755 });
        }
        const key = createHash('sha256').update(JSON.stringify(all)).digest('hex');
        return { key, context, dockerfile: 'Dockerfile', timeoutMs: 240_000 };
      }

      const build = (steps: string, files: Readonly<Record<string, string>> = {}, by = provider) =>
        by.buildImage(order(steps, files), {
          onProgress: ({ line }) => {
            if (line !== undefined) lines.push(line);
          },
        });

      const outputIn = async (reference: string, command: string): Promise<string> => {
        const labels = { runId: 'r', attemptId: 'a' };
        const session = await provider.create({
          limits: LIMITS,
          labels,
          image: { reference, runAsRoot: false },
        });
        try {
          const { stdout, stderr } = await session.exec(['sh', '-c', command]);
          return `${stdout}${stderr}`;
        } finally {
          await session.destroy();
        }
      };

      const expectNothingLeft = () => waitFor(async () => (await cluster.buildsLeft()).length === 0);

      test(
        'a Dockerfile is built in a job, pushed, and its image is the root of pods, once for all executors',
        async () => {
          expect(provider.capabilities).toMatchObject({ imageBuilds: true, networkInBuilds: false });
          const steps = `FROM BASE AS made
RUN id -u > /made && cat /etc/base >> /made && price='$$5' && echo "$price $(id -g)" >> /made
FROM BASE
COPY --from=made /made /made
COPY . /app
RUN sh /app/lib/script.sh && chown 33:34 /script
ENV OF_BUILD=2
`;
          const files = { 'lib/script.sh': 'echo "$OF_BASE" > /script\n', large: 'x'.repeat(9 << 20) };
          const other = await cluster.open({ builds: options, owner: 'other' });
          const [one, two] = await Promise.all([build(steps, files), build(steps, files, other)]);
          expect(one).toMatch(new RegExp(`^${registry.host}/built@sha256:[0-9a-f]{64}$`));
          expect(two).toBe(one);
          expect(registry.pushed.length).toBe(1);
          expect(lines.join('\n')).toMatch(/pulling [\s\S]*RUN sh \/app\/lib\/script.sh/);
          const command =
            'cat /made /script; stat -c %u:%g:%n /script /made /app/large; echo $OF_BUILD; ls /app';
          expect((await outputIn(one, command)).split('\n')).toEqual([
            ...['0', 'base', '$$5 0', '1', '33:34:/script', '0:0:/made', '0:0:/app/large', '2'],
            ...['Dockerfile', 'large', 'lib', ''],
          ]);
          expect(await build(steps, files)).toBe(one);
          expect(registry.pushed.length).toBe(1);
          await other.close();
          await expectNothingLeft();
        },
        TEST_MS,
      );

      test(
        'steps are confined: no network, no mounts, no token, no credentials, and no files of the builder',
        async () => {
          const reference = await build(`FROM BASE
RUN cat /proc/net/dev > /network; cat /proc/self/status > /status
RUN mount -t tmpfs none /etc; ls /store /auth /var/run/secrets /context; cat /proc/1/environ; unshare -m true; true
`);
          expect(
            (await outputIn(reference, 'cat /network')).match(/^ *\w+:/gm)?.map((name) => name.trim()),
          ).toEqual(['lo:']);
          expect(await outputIn(reference, 'cat /status')).toMatch(/CapEff:\t0*800001fb\n/);
          const log = lines.join('\n');
          expect(log).toMatch(/mount: .*(permission denied|not permitted)/i);
          for (const name of ['/store', '/auth', '/var/run/secrets', '/context']) {
            expect(log).toContain(`'${name}': No such file`);
          }
          await expectNothingLeft();
        },
        TEST_MS,
      );

      test.each([
        [
          'a step that fails',
          'FROM BASE\nRUN echo the reason; exit 3\n',
          /the build failed\n[\s\S]*the reason/,
        ],
        [
          'an image that is absent',
          'FROM REGISTRY/absent:1\n',
          /REGISTRY\/absent:1 cannot be pulled \(absent\)/,
        ],
        [
          'an image that needs a login',
          'FROM REGISTRY/private:1\n',
          /REGISTRY\/private:1 cannot be pulled \(login\)/,
        ],
        ['a malformed name', 'FROM Capital letters\n', /lower-case letters/],
        [
          'too large an image',
          'FROM BASE\nRUN dd if=/dev/zero of=/z bs=1M count=1200 && sleep 600\n',
          /bytes of disk/,
        ],
      ])(
        'a Dockerfile with %s is an invalid image with the reason',
        async (_, steps, message) => {
          const host = `${node}:${registry.port}`;
          const failed = build(steps.replaceAll('REGISTRY', host));
          const expected = new RegExp(message.source.replaceAll('REGISTRY', host));
          await expect(failed).rejects.toMatchObject({
            code: 'invalid_image',
            message: expect.stringMatching(expected),
          });
          await expectNothingLeft();
        },
        TEST_MS,
      );

      test(
        'a build that never ends is ended, and so is one without a waiter',
        async () => {
          const endless = { ...order('FROM BASE\nRUN sleep 600\n'), timeoutMs: 4_000 };
          await expect(provider.buildImage(endless)).rejects.toMatchObject({
            code: 'invalid_image',
            message: 'the build did not end within 4000 ms',
          });
          const cancelled = new AbortController();
          const abandoned = provider.buildImage(order('FROM BASE\nRUN echo begun; sleep 601\n'), {
            signal: cancelled.signal,
            onProgress: ({ line }) => {
              if (line === 'begun') cancelled.abort(new Error('cancelled'));
            },
          });
          await expect(abandoned).rejects.toThrow('cancelled');
          await expectNothingLeft();
        },
        TEST_MS,
      );

      test(
        'a registry that refuses the image is unavailable, and what it has lost is built again',
        async () => {
          const steps = 'FROM BASE\nRUN id\n';
          const refused = { ...options, repository: `${node}:${registry.port}/private` };
          const other = await cluster.open({ builds: refused, owner: 'other' });
          await expect(build(steps, {}, other)).rejects.toMatchObject({
            code: 'unavailable',
            message: `the registry does not take an image into ${refused.repository}`,
            fix: expect.stringContaining('secret of the builder'),
          });
          await other.close();
          const count = registry.pushed.length;
          await build(steps);
          registry.forgetPushed();
          const restarted = await cluster.open({ builds: options, owner: 'restarted' });
          expect(await build(steps, {}, restarted)).toContain(`${registry.host}/built@sha256:`);
          expect(registry.pushed.length).toBe(count + 2);
          await restarted.close();
          await expectNothingLeft();
        },
        TEST_MS,
      );
    },
  );
}
