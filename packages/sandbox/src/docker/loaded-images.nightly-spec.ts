import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostRoot, type LayoutOptions, tarOf, writeLayout } from '@agentclash/images/fixture';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openLocalImages } from '../choice/images.js';
import { LIMITS } from '../conformance/bench.js';
import type { LocalImages } from '../local-images.js';
import { PrivateEngine, withoutDocker } from '../testing/docker/fixture.js';
import type { ImageDetails } from './engine-objects.js';
import type { DockerProvider } from './provider.js';

const TEST_MS = 120_000;
const NAME = 'images.invalid/team/tools';
const ABSENT = `sha256:${'0'.repeat(64)}`;

const reason = withoutDocker();
if (reason !== undefined) {
  test.skip(`a Docker daemon has images of archives: ${reason}`, () => {});
} else {
  describe('a Docker daemon has images of archives', () => {
    const docker = new PrivateEngine();
    const directory = mkdtempSync(path.join(tmpdir(), 'agentclash-loads-'));
    let provider: DockerProvider;
    let ofDaemon: LocalImages;
    let ofMachine: LocalImages;
    beforeAll(async () => {
      await docker.start();
      await docker.importImage();
      provider = await docker.open({ pulls: false });
      ofDaemon = await openLocalImages({ SANDBOX_PROVIDER: 'docker', DOCKER_HOST: docker.address.url });
      ofMachine = await openLocalImages({
        SANDBOX_IMAGES_DIR: path.join(directory, 'store'),
        SANDBOX_REGISTRIES: 'none',
      });
    }, TEST_MS);
    afterAll(async () => {
      ofMachine.close();
      rmSync(directory, { recursive: true });
      await docker.close();
    }, TEST_MS);

    async function layout(content: string, options: Partial<LayoutOptions> = {}) {
      const at = mkdtempSync(path.join(directory, 'layout-'));
      const layers = [hostRoot(), [{ name: 'app/given', content }]];
      const env = ['OF_IMAGE=yes'];
      const digest = await writeLayout(at, { name: `${NAME}:v1`, layers, env, ...options });
      return { at, digest, reference: `${NAME}@${digest}` };
    }

    function archive(of: string): string {
      const file = `${of}.tar`;
      execFileSync('tar', ['--create', '--file', file, '--directory', of, ...readdirSync(of)]);
      return file;
    }

    async function given(reference: string): Promise<string> {
      const labels = { runId: 'r', attemptId: 'a' };
      const session = await provider.create({ limits: LIMITS, labels, image: { reference } });
      try {
        return (await session.exec(['cat', '/app/given'])).stdout.toString();
      } finally {
        await session.destroy();
      }
    }

    test(
      'one reference names the image of an archive on the daemon and in the store of the machine',
      async () => {
        const { at, digest, reference } = await layout('of an archive');
        const file = archive(at);
        expect(await ofMachine.load(file)).toEqual([reference]);
        await expect(provider.prepareImage(reference)).rejects.toMatchObject({
          code: 'invalid_image',
          fix: expect.stringContaining('agentclash image load'),
        });
        const progress: number[] = [];
        const onProgress = ({ doneBytes = 0 }) => progress.push(doneBytes);
        expect(await ofDaemon.load(file, { onProgress })).toEqual([reference]);
        expect(progress.at(-1)).toBeGreaterThan(1_000);
        const prepared = await provider.prepareImage(reference);
        expect(prepared).toMatchObject({ reference, digest, env: { OF_IMAGE: 'yes' } });
        expect(await given(reference)).toBe('of an archive');
        expect(await ofDaemon.load(at)).toEqual([reference]);
      },
      TEST_MS,
    );

    test(
      'what docker save writes has one reference on both, too',
      async () => {
        const { reference } = await layout('saved');
        const body = await tarOf([{ name: 'app/given', content: 'saved by Docker' }]);
        const query = { name: 'to-save' };
        await docker.engine.post('/containers/create', {
          query,
          body: { Image: 'sandbox.invalid/host', Cmd: ['sh'] },
        });
        const container = '/containers/to-save';
        await docker.engine.json('PUT', `${container}/archive`, { query: { path: '/' }, body });
        await docker.engine.post('/commit', {
          query: { container: 'to-save', repo: 'saved.invalid/tools', tag: 'v1' },
          body: {},
        });
        await docker.engine.json('DELETE', container);
        const file = path.join(directory, 'saved.tar');
        execFileSync('docker', ['--host', docker.address.url, 'save', 'saved.invalid/tools:v1', '-o', file]);
        await docker.engine.json('DELETE', '/images/saved.invalid/tools:v1');
        const [ofStore] = await ofMachine.load(file);
        const [loaded = ''] = await ofDaemon.load(file);
        expect(loaded).toMatch(/^saved\.invalid\/tools@sha256:/);
        expect(loaded).toBe(ofStore);
        expect(loaded).not.toBe(reference);
        expect(await given(loaded)).toBe('saved by Docker');
      },
      TEST_MS,
    );

    test(
      'two images of one name stay apart, and no tag of the daemon comes to mean another image',
      async () => {
        const [one, other] = [await layout('one'), await layout('other')];
        const before = await docker.engine.get<ImageDetails>('/images/sandbox.invalid/host/json');
        const hijack = await layout('hijack', { name: 'sandbox.invalid/host:latest' });
        for (const { at } of [one, other, hijack]) await ofDaemon.load(at);
        expect([await given(one.reference), await given(other.reference)]).toEqual(['one', 'other']);
        const after = await docker.engine.get<ImageDetails>('/images/sandbox.invalid/host/json');
        expect(after.Id).toBe(before.Id);
        await expect(provider.prepareImage(`${NAME}@${ABSENT}`)).rejects.toMatchObject({
          code: 'invalid_image',
        });
      },
      TEST_MS,
    );

    test(
      'an image of an index has the digests of both: of the index and of the manifest for this machine',
      async () => {
        const { at, digest } = await layout('indexed');
        const index = path.join(at, 'index.json');
        const { manifests } = JSON.parse(readFileSync(index, 'utf8')) as { manifests: object[] };
        const bytes = JSON.stringify({ schemaVersion: 2, manifests });
        const { sha256 } = await import('@agentclash/images/fixture');
        const ofIndex = sha256(Buffer.from(bytes));
        writeFileSync(path.join(at, 'blobs/sha256', ofIndex.slice('sha256:'.length)), bytes);
        const mediaType = 'application/vnd.oci.image.index.v1+json';
        const annotations = { 'io.containerd.image.name': `${NAME}:v1` };
        const listed = [{ mediaType, digest: ofIndex, size: bytes.length, annotations }];
        writeFileSync(index, JSON.stringify({ schemaVersion: 2, manifests: listed }));
        expect(await ofDaemon.load(at)).toEqual([`${NAME}@${ofIndex}`]);
        expect(await given(`${NAME}@${ofIndex}`)).toBe('indexed');
        expect(await given(`${NAME}@${digest}`)).toBe('indexed');
      },
      TEST_MS,
    );

    test.each([
      ['without a manifest', 'neither index.json nor manifest.json', () => archiveOfSystem()],
      ['that is none', 'no archive|whole tar file', () => textFile()],
      ['that does not exist', 'there is no', async () => path.join(directory, 'absent.tar')],
      ['with a damaged layer', 'has the digest', () => damaged(-1)],
      ['whose configuration is another', 'has the digest|larger than|ends after', () => damaged(0)],
      [
        'whose layer is not that of its configuration',
        'damaged',
        async () => {
          const spoil = ({ config }: { config: object }) =>
            Object.assign(config, { rootfs: { type: 'layers', diff_ids: [ABSENT, ABSENT] } });
          return (await layout('lies', { spoil })).at;
        },
      ],
      ['for another machine', 's390x', async () => (await layout('foreign', { architecture: 's390x' })).at],
    ] as const)(
      'an archive %s is refused and leaves no image',
      async (_title, problem, make) => {
        const file = await make();
        const before = await ids();
        await expect(ofDaemon.load(file)).rejects.toMatchObject({
          code: 'invalid_image',
          message: expect.stringMatching(problem),
        });
        expect(await ids()).toEqual(before);
      },
      TEST_MS,
    );

    test(
      'images of packs are listed and removed, those of others are not',
      async () => {
        const { at, digest } = await layout('to remove');
        await ofDaemon.load(at);
        const listed = (await ofDaemon.list()).find((each) => each.digest === digest);
        expect(listed).toMatchObject({ unusedMs: expect.any(Number), bytes: expect.any(Number) });
        expect(await given(listed?.reference ?? '')).toBe('to remove');
        expect(await ofDaemon.remove(`${NAME}@${digest}`)).toBe(true);
        expect(await ofDaemon.remove(`${NAME}@${digest}`)).toBe(false);
        expect(await ofDaemon.remove('sandbox.invalid/host')).toBe(false);
        expect((await docker.engine.get<ImageDetails>('/images/sandbox.invalid/host/json')).Id).toBeDefined();
      },
      TEST_MS,
    );

    async function ids(): Promise<string[]> {
      const images = await docker.engine.get<{ Id: string }[]>('/images/json', { query: { all: '1' } });
      return images.map(({ Id }) => Id).sort();
    }

    async function archiveOfSystem(): Promise<string> {
      const file = path.join(directory, 'system.tar');
      writeFileSync(file, await tarOf([{ name: 'etc/passwd', content: 'root' }]));
      return file;
    }

    async function textFile(): Promise<string> {
      const file = path.join(directory, 'text.tar');
      writeFileSync(file, 'no archive');
      return file;
    }

    /** One byte of a blob is another: of the last layer, or of the configuration. */
    async function damaged(which: 0 | -1): Promise<string> {
      const { at, digest } = await layout(`damaged ${which}`);
      const copy = mkdtempSync(path.join(directory, 'damaged-'));
      cpSync(at, copy, { recursive: true });
      const blob = (of: string) => path.join(copy, 'blobs/sha256', of.slice('sha256:'.length));
      const manifest = JSON.parse(readFileSync(blob(digest), 'utf8')) as {
        config: { digest: string };
        layers: { digest: string }[];
      };
      const file = blob(which === 0 ? manifest.config.digest : (manifest.layers.at(-1)?.digest ?? ''));
      const bytes = readFileSync(file);
      const at8 = bytes.length - 1;
      bytes[at8] = (bytes[at8] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      return copy;
    }
  });
}
