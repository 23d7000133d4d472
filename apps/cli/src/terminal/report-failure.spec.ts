import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { Output } from './output.js';
import { reportFailure } from './report-failure.js';

function linesOf(error: unknown): string[] {
  const stderr = new PassThrough({ encoding: 'utf8' });
  reportFailure(error, new Output(new PassThrough(), stderr, { json: false, quiet: false, color: false }));
  return String(stderr.read()).trimEnd().split('\n');
}

const systemError = (code: string, message: string) => Object.assign(new Error(message), { code });

test('A folder that belongs to another user is reported with the user that should own it.', () => {
  const [message, hint] = linesOf(systemError('EACCES', "EACCES: permission denied, mkdir '/data/config'"));
  expect(message).toBe("error EACCES: permission denied, mkdir '/data/config'");
  expect(hint).toContain(`user ${process.getuid?.()}`);
  expect(hint).toContain('chown');
});

test('A read-only file system is reported with a next step.', () => {
  const [, hint] = linesOf(
    systemError('EROFS', "EROFS: read-only file system, open '/data/settings.json.new'"),
  );
  expect(hint).toContain('mount it writable');
});

test('An error without a known next step is reported by its message alone.', () => {
  expect(linesOf(systemError('EIO', 'EIO: i/o error, read'))).toEqual(['error EIO: i/o error, read']);
});
