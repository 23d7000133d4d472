import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { digestOf } from './publish/digest.js';
import { manifestOf } from './publish/manifest.js';
import { readPack } from './read/read-pack.js';
import { RICH_EXAMPLE } from './testing/rich-example.js';

/** The globals that every browser and server has; no process, no Buffer, no files, no network. */
const UNIVERSAL = { TextEncoder, TextDecoder, URL, structuredClone };

let bundle = '';
let inputs: string[] = [];

/** For a browser: bundling fails on an import of a module of Node. */
beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [path.join(import.meta.dirname, 'index.ts')],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'challengepack',
    conditions: ['agentclash-source'],
  });
  bundle = outputFiles[0]?.text ?? '';
  inputs = Object.keys(metafile.inputs);
}, 30_000);

describe('the library is pure', () => {
  test('the library bundles for a browser, from itself and a few pure libraries', () => {
    const packages = inputs.map(
      (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1],
    );
    expect([...new Set(packages)].sort()).toEqual([
      '@noble/hashes',
      'idn-hostname',
      'json-p3',
      'punycode',
      're2js',
      'yaml',
      undefined,
    ]);
  });

  test('the bundle reads a pack without Node.js, to the same digest', () => {
    const context = createContext({ ...UNIVERSAL, text: RICH_EXAMPLE });
    const found: unknown = runInContext(
      `${bundle}
      const { valid, problems, pack } = challengepack.readPack(text);
      JSON.stringify([typeof process, typeof Buffer, valid, problems, challengepack.digestOf(challengepack.manifestOf(pack))])`,
      context,
    );
    const reading = readPack(RICH_EXAMPLE);
    if (!reading.valid) throw new Error('the example is not valid');
    const digest = digestOf(manifestOf(reading.pack));
    expect(JSON.parse(String(found))).toEqual(['undefined', 'undefined', true, [], digest]);
  });
});
