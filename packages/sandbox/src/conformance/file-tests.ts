import { expect } from '@jest/globals';
import type { FileStore } from '../file-store.js';
import { SANDBOX_DEFAULTS } from '../spec.js';
import { expectError, LIMITS, output, type SandboxTest, sh } from './bench.js';

const READERS: Record<string, (store: FileStore, path: string) => Promise<unknown>> = {
  readFile: (store, path) => store.readFile(path),
  stat: (store, path) => store.stat(path),
  list: (store, path) => store.list(path),
};
const ALL = { ...READERS, writeFile: (store: FileStore, path: string) => store.writeFile(path, 'x') };

export const FILE_TESTS: SandboxTest[] = [
  {
    id: 'files.round-trip',
    guarantee: 'a written file is read back, with its real path and size',
    run: async (bench) => {
      const session = await bench.open();
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
      expect(await session.writeFile('deep/er/file.bin', bytes)).toEqual({
        path: '/workspace/deep/er/file.bin',
        bytes: 70_000,
      });
      const read = await session.readFile('/workspace/deep/./er/../er/file.bin');
      expect(read).toMatchObject({ path: '/workspace/deep/er/file.bin', bytes: 70_000 });
      expect(read.data.equals(bytes)).toBe(true);
      await session.writeFile('deep/er/file.bin', 'short');
      expect((await session.readFile('deep/er/file.bin')).data.toString()).toBe('short');
      await session.writeFile('empty', '');
      expect((await session.readFile('empty')).bytes).toBe(0);
    },
  },
  {
    id: 'files.ranges',
    guarantee: 'offset and length read a part; without a length a file beyond the cap is too_large',
    run: async (bench) => {
      const session = await bench.open();
      await session.writeFile('digits', '0123456789');
      const read = async (options: object) => (await session.readFile('digits', options)).data.toString();
      expect(await read({ offset: 3, length: 4 })).toBe('3456');
      expect(await read({ offset: 8 })).toBe('89');
      expect(await read({ offset: 10 })).toBe('');
      expect(await read({ offset: 99, length: 5 })).toBe('');
      expect(await read({ length: 3, bytesMax: 3 })).toBe('012');
      await expectError(session.readFile('digits', { bytesMax: 9 }), 'too_large');
    },
  },
  {
    id: 'files.kinds',
    guarantee: 'each wrong kind of file has its own code',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'mkdir d; echo x > f; mkfifo pipe; ln -s a b; ln -s b a; ln -s f good');
      await expectError(session.readFile('d'), 'is_directory');
      await expectError(session.writeFile('d', ''), 'is_directory');
      await expectError(session.readFile('f/x'), 'not_directory');
      await expectError(session.readFile('f/'), 'not_directory');
      await expectError(session.writeFile('f/x', ''), 'not_directory');
      await expectError(session.readFile('pipe'), 'not_regular_file');
      await expectError(session.writeFile('pipe', ''), 'not_regular_file');
      await expectError(session.readFile('a'), 'symlink_loop');
      await expectError(session.readFile('none'), 'not_found');
      await expectError(session.readFile('none/deeper'), 'not_found');
      await expectError(session.writeFile('none/x', '', { makeParents: false }), 'not_found');
      expect(await session.readFile('good')).toMatchObject({ path: '/workspace/f' });
      expect(await session.stat('d')).toMatchObject({ kind: 'directory', path: '/workspace/d' });
    },
  },
  {
    id: 'files.outside',
    guarantee: 'outside the roots every verb fails with not_permitted, whether or not something exists',
    run: async (bench) => {
      const session = await bench.open();
      await sh(
        session,
        'ln -s /etc/passwd file; ln -s /etc dir; ln -s /nowhere/new dangling; ln -s ../../etc up',
      );
      const paths = [
        '/etc/passwd',
        '/etc/none',
        '/none',
        '..',
        '/',
        '../../etc/passwd',
        'file',
        'dir/passwd',
        'up/passwd',
        'dangling',
        '/proc/1/environ',
        '/workspace-2',
      ];
      for (const [verb, call] of Object.entries(ALL)) {
        for (const path of paths) {
          const error = await expectError(call(session, path), 'not_permitted');
          expect(`${verb} ${path}: ${error.code}`).toBe(`${verb} ${path}: not_permitted`);
        }
      }
      expect(await output(session, 'test -e /nowhere || echo none')).toBe('none');
    },
  },
  {
    id: 'files.as-large-as-artifacts',
    guarantee: 'a file as large as an artifact can be written, one byte more is too_large',
    run: async (bench) => {
      const largest = Buffer.alloc(SANDBOX_DEFAULTS.writtenBytesMax, 'x');
      const session = await bench.open({ limits: { ...LIMITS, workspaceBytes: 2 * largest.length } });
      expect(await session.writeFile('largest', largest)).toMatchObject({ bytes: largest.length });
      expect(await output(session, 'wc -c < largest; tail -c 1 largest')).toBe(`${largest.length}\nx`);
      await expectError(session.writeFile('more', Buffer.alloc(largest.length + 1)), 'too_large');
    },
  },
  {
    id: 'files.links-inside',
    guarantee: 'links are followed while they stay inside, also for writing',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'mkdir real; ln -s real alias; ln -s /workspace/real/new pointer');
      expect(await session.writeFile('alias/x', '1')).toMatchObject({ path: '/workspace/real/x' });
      expect(await session.writeFile('pointer', '2')).toMatchObject({ path: '/workspace/real/new' });
      expect(await session.writeFile('alias/../real/y', '3')).toMatchObject({ path: '/workspace/real/y' });
    },
  },
  {
    id: 'files.bad-paths',
    guarantee: 'an empty, overlong or NUL path is invalid_path; a newline is a plain character',
    run: async (bench) => {
      const session = await bench.open();
      for (const path of ['', 'a\0b', 'x'.repeat(256), 'd/'.repeat(2_100)]) {
        await expectError(session.readFile(path), 'invalid_path');
        await expectError(session.writeFile(path, ''), 'invalid_path');
      }
      await session.writeFile('a\nb', 'x');
      expect((await session.readFile('a\nb')).path).toBe('/workspace/a\nb');
    },
  },
  {
    id: 'files.roots',
    guarantee: 'roots of the spec exist; writing needs a writable one; a call may name other roots',
    run: async (bench) => {
      const session = await bench.open({
        filesystem: {
          readableRoots: ['/workspace', '/data'],
          writableRoots: ['/workspace/out', '/extra'],
          stagedRoots: ['/grader'],
        },
      });
      await session.writeFile('/data/in.csv', 'a', { roots: ['/data'] });
      await session.writeFile('/grader/key', 'secret', { roots: ['/grader'] });
      expect((await session.readFile('/data/in.csv')).data.toString()).toBe('a');
      await expectError(session.writeFile('/data/in.csv', 'b'), 'not_permitted');
      await expectError(session.writeFile('/workspace/x', 'b'), 'not_permitted');
      await session.writeFile('/workspace/out/x', 'b');
      await session.writeFile('/extra/x', 'b');
      await expectError(session.readFile('/grader/key'), 'not_permitted');
      await expectError(session.readFile('/extra/x'), 'not_permitted');
    },
  },
  {
    id: 'files.list',
    guarantee: 'a listing is recursive, sorted by path, skips what it should and does not follow links',
    run: async (bench) => {
      const session = await bench.open();
      await sh(
        session,
        'mkdir -p a/.git b/c .git; touch a.txt a/x a/.git/y b/c/z .git/w -- -dash; ln -s / rootlink; echo hi > b/two',
      );
      const listing = await session.list('.', { skip: ['.git'], kinds: ['file'] });
      expect(listing).toMatchObject({ path: '/workspace', truncated: false });
      expect(listing.entries.map((entry) => entry.path)).toEqual(['-dash', 'a.txt', 'a/x', 'b/c/z', 'b/two']);
      expect(listing.entries.at(-1)).toEqual({ path: 'b/two', kind: 'file', bytes: 3 });
      const flat = await session.list('.', { recursive: false });
      expect(flat.entries.map((entry) => `${entry.path}:${entry.kind}`)).toEqual([
        '-dash:file',
        '.git:directory',
        'a.txt:file',
        'a:directory',
        'b:directory',
        'rootlink:symlink',
      ]);
      const cut = await session.list('.', { entriesMax: 2, kinds: ['file'], skip: ['.git'] });
      expect(cut).toMatchObject({ truncated: true });
      expect(cut.entries.map((entry) => entry.path)).toEqual(['-dash', 'a.txt']);
      await expectError(session.list('b/two'), 'not_directory');
    },
  },
  {
    id: 'files.no-space',
    guarantee: 'a full disk is no_space and leaves the old content',
    run: async (bench) => {
      const session = await bench.open({
        limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
      });
      await session.writeFile('keep', 'old');
      await expectError(session.writeFile('keep', Buffer.alloc(2 << 20)), 'no_space');
      await expectError(session.writeFile('new', Buffer.alloc(2 << 20)), 'no_space');
      expect((await session.readFile('keep')).data.toString()).toBe('old');
      await expectError(session.stat('new'), 'not_found');
      expect(await session.writeFile('keep', 'fits')).toMatchObject({ bytes: 4 });
    },
  },
  {
    id: 'files.remove',
    guarantee: 'remove takes a file, a link or a tree, not what a link points to, and never leaves the roots',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'mkdir -p t/u/v; touch t/u/v/w keep; ln -s keep link; ln -s /etc out');
      for (const path of ['t', 'link', 'out', 'missing']) await session.remove(path);
      expect((await session.list('.')).entries.map((entry) => entry.path)).toEqual(['keep']);
      await expectError(session.remove('/etc/passwd'), 'not_permitted');
      await expectError(session.remove('/workspace'), 'not_permitted');
      await expectError(session.remove('..'), 'not_permitted');
    },
  },
  {
    id: 'files.owner',
    guarantee:
      'the working directory and home belong to the commands, as tools that check owners (git, ssh) want it',
    run: async (bench) => {
      const session = await bench.open();
      const script =
        'for d in /workspace ~; do [ "$(stat -c %u $d)" = "$(id -u)" ] && chmod 750 $d && echo own; done';
      expect(await output(session, script)).toBe('own\nown');
    },
  },
  {
    id: 'files.mode',
    guarantee: 'a new file has the requested permissions and belongs to the commands',
    run: async (bench) => {
      const session = await bench.open();
      await session.writeFile('run.sh', '#!/bin/sh\necho ran >> log\n', { mode: 0o755 });
      expect(await session.exec(['./run.sh'])).toMatchObject({ exitCode: 0 });
      expect(await session.stat('run.sh')).toMatchObject({ mode: 0o755, kind: 'file' });
    },
  },
];
