import { expect, test } from '@jest/globals';
import { outermost, resolveSpec } from './resolved-spec.js';
import type { FilesystemPolicy } from './spec.js';

const limits = { cpu: 1, memoryBytes: 1, pids: 1, workspaceBytes: 1 };
const labels = { runId: 'r', attemptId: 'a' };
const resolved = (filesystem?: FilesystemPolicy) =>
  resolveSpec({ limits, labels, ...(filesystem ? { filesystem } : {}) });

test('all roots are /workspace without a filesystem policy', () => {
  expect(resolved()).toMatchObject({
    workingDirectory: '/workspace',
    readableRoots: ['/workspace'],
    writableRoots: ['/workspace'],
    workspaceRoots: ['/workspace'],
    extraRoots: [],
    leaseMs: 60_000,
    network: { kind: 'none' },
    limits: { outputBytes: 4 * 1024 * 1024 },
  });
});

test('roots default to the working directory', () => {
  expect(resolved({ workingDirectory: '/app/' })).toMatchObject({
    readableRoots: ['/app'],
    workspaceRoots: ['/app'],
  });
});

test('the workspace is the working directory and the writable roots, each once, none inside another', () => {
  const spec = resolved({
    workingDirectory: '/w/sub',
    writableRoots: ['/w', '/out', '/w/x'],
    readableRoots: ['/w', '/data', '/data/in'],
    stagedRoots: ['/grader'],
  });
  expect(spec.workspaceRoots).toEqual(['/out', '/w']);
  expect(spec.extraRoots).toEqual(['/data', '/grader']);
});

test('directories whose names only begin alike are separate', () => {
  expect(outermost(['/a', '/ab', '/a/b'])).toEqual(['/a', '/ab']);
});

test.each(['relative', '/a/../b', '/a\0b', ''])('the path %j is no root', (root) => {
  expect(() => resolved({ workingDirectory: root })).toThrow(
    expect.objectContaining({ code: 'invalid_path' }),
  );
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('the number %d is no limit', (pids) => {
  expect(() => resolveSpec({ limits: { ...limits, pids }, labels })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});

test('an image has neither a template nor packages beside it', () => {
  const image = { reference: 'debian@sha256:0' };
  expect(resolveSpec({ limits, labels, image }).image).toEqual({ ...image, runAsRoot: false });
  for (const other of [{ template: 'python' }, { packages: ['jq'] }]) {
    expect(() => resolveSpec({ limits, labels, image, ...other })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  }
});
