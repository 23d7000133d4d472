import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, LIMITS } from '../conformance/bench.js';
import type { ImageProgress } from '../image.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import { Engine } from './engine.js';
import { EngineBuilds } from './engine-builds.js';
import { EngineImages } from './engine-images.js';
import type { ImageDetails } from './engine-objects.js';
import { ImageCache } from './image-cache.js';
import type { DockerProvider } from './provider.js';

const TEST_MS = 120_000;

/** Images that were just used stay. */
class EngineAnHourLater extends Engine {
  override now(): number {
    return super.now() + 3_600_000;
  }
}

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon builds images: ${reason}`, () => {});
} else {
  describe('a Docker daemon builds images', () => {
    const docker = new PrivateEngine();
    const directory = mkdtempSync(path.join(tmpdir(), 'agentclash-builds-'));
    const lines: string[] = [];
    let provider: DockerProvider;
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
      provider = await docker.open({ allowsRootOfMachine: true });
    }, TEST_MS);
    afterAll(async () => {
      rmSync(directory, { recursive: true });
      await docker.close();
    }, TEST_MS);

    function context(steps: string, files: Readonly<Record<string, string>> = {}) {
      const at = mkdtempSync(path.join(directory, 'context-'));
      const all = { Dockerfile: `FROM sandbox.invalid/host\n${steps}`, ...files };
      for (const [name, content] of Object.entries(all)) {
        mkdirSync(path.dirname(path.join(at, name)), { recursive: true });
        writeFileSync(path.join(at, name), content, { mode: 0o755 });
      }
      const key = createHash('sha256').update(JSON.stringify(all)).digest('hex');
      return { key, context: at, dockerfile: 'Dockerfile', timeoutMs: 60_000 };
    }

    const onProgress = ({ line }: ImageProgress) => {
      if (line !== undefined) lines.push(line);
    };

    async function outputIn(reference: string, command: string): Promise<string> {
      const session = await provider.create({
        limits: LIMITS,
        labels: { runId: 'r', attemptId: 'a' },
        image: { reference, runAsRoot: true },
      });
      const { stdout, stderr } = await session.exec(['sh', '-c', command]);
      await session.destroy();
      return `${stdout}${stderr}`;
    }

    test(
      'a Dockerfile is built once per key, with its files, links, variables and progress, and runs',
      async () => {
        const build = context(
          'COPY . /made\nENV OF_BUILD=yes\nRUN echo built-it > /made/ran && echo a line of the build',
          {
            'tool.sh': '#!/bin/sh\necho tool $OF_BUILD\n',
            '.dockerignore': 'secret\n',
            secret: 'x',
          },
        );
        symlinkSync('tool.sh', path.join(build.context, 'link'));
        const reference = await provider.buildImage(build, { onProgress });
        expect(lines).toContain('a line of the build');
        expect(reference).toMatch(/^build\.invalid\/image@sha256:[0-9a-f]{64}$/);
        expect(await outputIn(reference, '/made/link; cat /made/ran; ls /made/secret')).toMatch(
          /^tool yes\nbuilt-it\n.*No such file/,
        );
        lines.length = 0;
        expect(await provider.buildImage(build, { onProgress })).toBe(reference);
        expect(lines).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'two requests of one key share one build',
      async () => {
        const build = context('RUN sleep 1; date +%N > /when');
        const [one, other] = await Promise.all([provider.buildImage(build), provider.buildImage(build)]);
        expect(one).toBe(other);
      },
      TEST_MS,
    );

    test.each([
      ['fails', 'RUN echo the reason >&2; exit 3', 'the reason'],
      ['names BuildKit', 'RUN --mount=type=cache,target=/x true', 'BuildKit'],
      ['has no such file', 'COPY absent /x', 'absent'],
      ['is malformed', 'RUNN true', 'unknown instruction'],
    ])(
      'a Dockerfile that %s is an invalid image with the end of its output',
      async (_kind, steps, text) => {
        const failed = provider.buildImage(context(steps));
        await expect(failed).rejects.toMatchObject({ code: 'invalid_image' });
        await expect(failed).rejects.toThrow(text);
        expect(await docker.engine.get('/containers/json', { query: { all: '1' } })).toEqual([]);
      },
      TEST_MS,
    );

    test(
      'a Dockerfile from an image that does not exist is refused with its name',
      async () => {
        const build = context('');
        writeFileSync(path.join(build.context, 'Dockerfile'), 'FROM 127.0.0.1:1/none\n');
        await expect(provider.buildImage({ ...build, key: 'f'.repeat(64) })).rejects.toThrow(
          '127.0.0.1:1/none',
        );
      },
      TEST_MS,
    );

    test(
      'a build that never ends is ended at its limit, and one that is abandoned at once: no container stays',
      async () => {
        const endless = { ...context('RUN sleep 600'), timeoutMs: 3_000 };
        await expect(provider.buildImage(endless)).rejects.toMatchObject({
          code: 'invalid_image',
          message: expect.stringContaining('did not end within 3000 ms'),
        });
        const stop = new AbortController();
        const abandoned = provider.buildImage(context('RUN sleep 601'), {
          signal: stop.signal,
          onProgress: ({ line }) => line?.includes('Running in') && stop.abort(new Error('enough')),
        });
        await expect(abandoned).rejects.toThrow('enough');
        await eventually(
          async () =>
            (await docker.engine.get<object[]>('/containers/json', { query: { all: '1' } })).length === 0,
          15_000,
        );
      },
      TEST_MS,
    );

    test(
      'a step that writes more than its disk is ended',
      async () => {
        const images = new EngineImages(docker.engine, {
          machine: process.arch === 'arm64' ? 'arm64' : 'x64',
          onProblem: () => {},
        });
        const builds = new EngineBuilds(docker.engine, images, {
          hasNetwork: false,
          limits: { diskBytes: 16 << 20 },
        });
        const large = context('RUN head -c 64M /dev/zero > /large; sleep 600');
        await expect(builds.build(large)).rejects.toMatchObject({
          code: 'invalid_image',
          message: expect.stringContaining('bytes of disk'),
        });
        await builds.close();
      },
      TEST_MS,
    );

    test(
      'a build has no network, and one that requires it is refused unless the operator allows it',
      async () => {
        const interfaces = 'RUN cat /proc/net/dev | grep -c : > /count';
        const alone = await provider.buildImage(context(interfaces));
        expect(await outputIn(alone, 'cat /count')).toBe('1\n');
        const build = { ...context(`${interfaces}2`), network: 'host' as const };
        await expect(provider.buildImage(build)).rejects.toMatchObject({ capability: 'networkInBuilds' });
      },
      TEST_MS,
    );

    test(
      'beyond their size the images unused for longest are removed, and those of the user stay',
      async () => {
        const [old, recent] = [
          context('RUN head -c 8M /dev/zero > /x'),
          context('RUN head -c 8M /dev/zero > /y'),
        ];
        const first = await provider.buildImage(old);
        const second = await provider.buildImage(recent);
        expect(await provider.buildImage(old)).toBe(first);
        const { Size } = await docker.engine.get<ImageDetails>('/images/sandbox.invalid/host/json');
        await new ImageCache(new EngineAnHourLater(docker.address), 12 << 20).evict();
        const idOf = (reference: string) => reference.split('@')[1] ?? '';
        expect(await docker.engine.get(`/images/${idOf(first)}/json`)).toMatchObject({ Id: idOf(first) });
        await expect(docker.engine.get(`/images/${idOf(second)}/json`)).rejects.toMatchObject({
          status: 404,
        });
        expect(await docker.engine.get('/images/sandbox.invalid/host/json')).toMatchObject({ Size });
        await expect(provider.prepareImage(second)).rejects.toMatchObject({
          code: 'unavailable',
          fix: expect.stringContaining('built again'),
        });
      },
      TEST_MS,
    );

    test(
      'where nothing isolates root no image is built',
      async () => {
        const careful = await docker.open();
        expect(careful.capabilities).toMatchObject({ imageBuilds: false, rootInImages: false });
        await expect(careful.buildImage(context('RUN true'))).rejects.toMatchObject({
          capability: 'imageBuilds',
        });
        await careful.close();
      },
      TEST_MS,
    );
  });
}
