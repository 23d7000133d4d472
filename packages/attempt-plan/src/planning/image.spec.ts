import type { CaseSandbox } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { plannedImage } from './image.js';

const IMAGE = `debian@sha256:${'0'.repeat(64)}`;
const OTHER = `alpine@sha256:${'1'.repeat(64)}`;

const stored = ({ path }: { path: string }) => ({ artifact_id: path, sha256: path, bytes: 1 });
const asset = (path: string, key = path) => ({ key, path });
const challenge = (more: object) =>
  ({ key: 'c', title: 'C', category: 'c', difficulty: 'easy', definition: {}, ...more }) as const;

function planned({
  pack = {},
  ofChallenge = {},
  ofCase = {},
  assets = { pack: [''], challenge: [''], case: [''] },
}: {
  pack?: CaseSandbox;
  ofChallenge?: CaseSandbox;
  ofCase?: CaseSandbox;
  assets?: Record<'pack' | 'challenge' | 'case', string[]>;
}) {
  const listed = (paths: string[]) => paths.filter((path) => path !== '').map((path) => asset(path));
  const manifest = {
    sandbox: pack,
    version: { number: 1, execution_mode: 'native' as const, assets: listed(assets.pack) },
    challenges: [challenge({ sandbox: ofChallenge, assets: listed(assets.challenge) })],
  };
  const each = { challenge_key: 'c', sandbox: ofCase, assets: listed(assets.case) };
  return plannedImage(manifest, each, stored);
}

test('the image of the case wins over that of its challenge, and that over the one of the pack, each with its own user', () => {
  const pack = { image: IMAGE, run_as_root: true };
  const root = { image: OTHER, run_as_root: true };
  expect(planned({})).toBeUndefined();
  expect(planned({ pack })).toEqual({ reference: IMAGE, run_as_root: true });
  expect(planned({ pack, ofChallenge: { image: OTHER } })).toEqual({ reference: OTHER, run_as_root: false });
  expect(planned({ pack, ofChallenge: root, ofCase: { cpu: 2 } })).toEqual({
    reference: OTHER,
    run_as_root: true,
  });
  expect(planned({ pack, ofChallenge: root, ofCase: { image: IMAGE } })).toEqual({
    reference: IMAGE,
    run_as_root: false,
  });
});

test('a build has the files of its folder that its holder sees, under their paths there, the nearest ones first', () => {
  const assets = {
    pack: ['env/Dockerfile', './env/lib/a.txt', 'environment/x', 'other/b'],
    challenge: ['env//own.txt'],
    case: ['env/lib/a.txt'],
  };
  const build = { dockerfile: 'env/Dockerfile', build_network_access: true, run_as_root: true };
  const file = (path: string, from: string) => ({ path, artifact: stored({ path: from }) });
  expect(planned({ pack: build, assets })).toEqual({
    build: {
      dockerfile: 'Dockerfile',
      files: [file('Dockerfile', 'env/Dockerfile'), file('lib/a.txt', './env/lib/a.txt')],
      network_access: true,
    },
    run_as_root: true,
  });
  expect(planned({ pack: { image: IMAGE }, ofCase: { dockerfile: 'env/Dockerfile' }, assets })).toEqual({
    build: {
      dockerfile: 'Dockerfile',
      files: [
        file('lib/a.txt', 'env/lib/a.txt'),
        file('own.txt', 'env//own.txt'),
        file('Dockerfile', 'env/Dockerfile'),
      ],
    },
    run_as_root: false,
  });
});

test('a file without stored bytes is an error of planning', () => {
  const refuse = () => {
    throw new Error('no bytes');
  };
  const manifest = {
    sandbox: { dockerfile: 'env/Dockerfile' },
    version: { number: 1, execution_mode: 'native' as const, assets: [asset('env/Dockerfile')] },
    challenges: [challenge({})],
  };
  expect(() => plannedImage(manifest, { challenge_key: 'c' }, refuse)).toThrow('no bytes');
});
