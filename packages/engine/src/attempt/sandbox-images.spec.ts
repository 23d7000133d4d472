import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PlannedBuild, PlannedImage } from '@agentclash/attempt-plan';
import { type ImageBuild, type ImageProgress, type PrepareOptions, SandboxError } from '@agentclash/sandbox';
import { expect, test } from '@jest/globals';
import { buildKey, SandboxImages } from './sandbox-images.js';

const CONTENTS: Readonly<Record<string, string>> = { Dockerfile: 'FROM scratch\n', 'lib/a.txt': 'a' };
const reference = (content: string) => ({
  artifact_id: content,
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: content.length,
});
const BUILD: PlannedBuild = {
  dockerfile: 'Dockerfile',
  files: Object.entries(CONTENTS).map(([name, content]) => ({ path: name, artifact: reference(content) })),
};
const IMAGE: PlannedImage = { build: BUILD, run_as_root: false };
const artifacts = { read: async ({ artifact_id }: { artifact_id: string }) => Buffer.from(artifact_id) };

type Work = (build: ImageBuild, options: PrepareOptions) => Promise<string>;

/** A provider whose builds are the given function. */
class Builder {
  readonly name = 'builder';
  readonly builds: ImageBuild[] = [];
  readonly prepared: string[] = [];
  readonly removed = new Set<string>();

  constructor(private readonly work: Work = async ({ key }) => `built/${key}`) {}

  async buildImage(build: ImageBuild, options: PrepareOptions = {}): Promise<string> {
    this.builds.push(build);
    return await this.work(build, options);
  }

  async prepareImage(name: string) {
    if (this.removed.delete(name)) throw new SandboxError('invalid_image', 'removed');
    this.prepared.push(name);
    return { reference: name, digest: name, env: {}, bytes: 0 };
  }
}

const context = (signal = new AbortController().signal, onProgress?: (progress: ImageProgress) => void) => ({
  artifacts,
  signal,
  ...(onProgress && { onProgress }),
});

test('the files of a build are in a folder that is gone afterwards, and can be run', async () => {
  const builder = new Builder(async ({ context: folder, dockerfile, network }) => {
    expect(network).toBe('none');
    expect(readFileSync(path.join(folder, dockerfile), 'utf8')).toBe(CONTENTS.Dockerfile);
    const file = path.join(folder, 'lib/a.txt');
    expect(statSync(file).mode & 0o777).toBe(0o755);
    return readFileSync(file, 'utf8');
  });
  expect(await new SandboxImages(builder).prepare(IMAGE, context())).toBe('a');
  expect(builder.prepared).toEqual(['a']);
  expect(existsSync(builder.builds[0]?.context ?? '')).toBe(false);
});

test('attempts share a build of the same content, and one that is built is built again only when it was removed', async () => {
  const builder = new Builder();
  const images = new SandboxImages(builder);
  const key = buildKey(BUILD);
  const all = await Promise.all([1, 2, 3].map(() => images.prepare(IMAGE, context())));
  expect(new Set(all)).toEqual(new Set([`built/${key}`]));
  const reversed = { ...BUILD, files: [...BUILD.files].reverse() };
  await images.prepare({ build: reversed, run_as_root: true }, context());
  expect(builder.builds.map((build) => build.key)).toEqual([key]);
  builder.removed.add(`built/${key}`);
  await images.prepare(IMAGE, context());
  expect(builder.builds).toHaveLength(2);
});

test('other content, another Dockerfile and another network are other builds', () => {
  const [first, ...others] = BUILD.files;
  if (first === undefined) throw new Error('the build has no files');
  const keys = [
    BUILD,
    { ...BUILD, dockerfile: 'Other' },
    { ...BUILD, network_access: true as const },
    { ...BUILD, files: [{ ...first, path: 'Moved' }, ...others] },
    { ...BUILD, files: [{ ...first, artifact: reference('other') }, ...others] },
  ].map(buildKey);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a cancelled attempt leaves the build to the others, and the last one ends it', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const end = Promise.withResolvers<string>();
  const builder = new Builder(async (_, { signal }) => {
    if (signal) started.resolve(signal);
    signal?.addEventListener('abort', () => end.reject(signal.reason));
    return await end.promise;
  });
  const images = new SandboxImages(builder);
  const [one, other] = [new AbortController(), new AbortController()];
  const first = images.prepare(IMAGE, context(one.signal));
  const second = images.prepare(IMAGE, context(other.signal));
  const signal = await started.promise;
  one.abort(new Error('cancelled'));
  await expect(first).rejects.toThrow('cancelled');
  expect(signal.aborted).toBe(false);
  other.abort(new Error('cancelled too'));
  await expect(second).rejects.toThrow('cancelled too');
  expect(signal.aborted).toBe(true);
  expect(builder.builds).toHaveLength(1);
});

test('the failure of a build has the last lines of its output, and a later attempt builds again', async () => {
  const failing = async (_: ImageBuild, { onProgress }: PrepareOptions) => {
    for (let line = 1; line <= 20; line += 1) onProgress?.({ phase: 'build', line: `line ${line}` });
    throw new SandboxError('invalid_image', 'the build failed', { fix: 'repair it' });
  };
  const builder = new Builder(failing);
  const images = new SandboxImages(builder);
  const seen: (string | undefined)[] = [];
  const failure = images.prepare(
    IMAGE,
    context(undefined, ({ line }) => seen.push(line)),
  );
  await expect(failure).rejects.toMatchObject({
    code: 'invalid_image',
    message: `the build failed\n${Array.from({ length: 10 }, (_, at) => `line ${at + 11}`).join('\n')}`,
    fix: 'repair it',
  });
  expect(seen).toHaveLength(20);
  await expect(images.prepare(IMAGE, context())).rejects.toThrow('the build failed');
  expect(builder.builds).toHaveLength(2);
});

test('an artifact with other content ends the attempt, and a provider that builds nothing is named', async () => {
  const changed = { read: async () => Buffer.from('changed') };
  await expect(
    new SandboxImages(new Builder()).prepare(IMAGE, { ...context(), artifacts: changed }),
  ).rejects.toMatchObject({ end: { because: 'infra', code: 'artifact_mismatch' } });
  const images = new SandboxImages({ name: 'remote' });
  await expect(images.prepare(IMAGE, context())).rejects.toMatchObject({ code: 'unsupported' });
});
