import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ImageError } from '../image-error.js';
import { parseReference, pinned, tagName } from './reference.js';

const DIGEST = `sha256:${'ab'.repeat(32)}`;

test.each([
  ['debian', 'docker.io', 'library/debian', undefined, undefined],
  ['debian:12', 'docker.io', 'library/debian', '12', undefined],
  [`someone/app@${DIGEST}`, 'docker.io', 'someone/app', undefined, DIGEST],
  [`localhost:5000/a/b:v1@${DIGEST}`, 'localhost:5000', 'a/b', 'v1', DIGEST],
  ['registry.example/x__y.z-1', 'registry.example', 'x__y.z-1', undefined, undefined],
])('%s is read into registry, repository, tag and digest', (text, registry, repository, tag, digest) => {
  expect(parseReference(text)).toEqual({
    text,
    registry,
    repository,
    ...(tag && { tag }),
    ...(digest && { digest }),
  });
});

test.each([
  '',
  'A',
  'a b',
  'a@sha256:12',
  `a@${DIGEST}@${DIGEST}`,
  'a:',
  'a/../b',
  '-a',
  'a/',
  `a@md5:${'0'.repeat(32)}`,
  'x'.repeat(600),
])('%j is refused with the expected form', (text) => {
  expect(() => parseReference(text)).toThrow(
    expect.objectContaining({ code: 'invalid_image', fix: expect.stringContaining('NAME@sha256:') }),
  );
});

test('a pinned reference is read as the same image', () => {
  const reference = parseReference('debian:12');
  expect(pinned(reference, DIGEST)).toBe(`docker.io/library/debian@${DIGEST}`);
  expect(tagName(parseReference(pinned(reference, DIGEST)))).toBe('docker.io/library/debian:latest');
});

test('any text is a reference or an error of this package', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9.:/@_-]*$/)), (text) => {
      try {
        expect(parseReference(text).text).toBe(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ImageError);
      }
    }),
  );
});
