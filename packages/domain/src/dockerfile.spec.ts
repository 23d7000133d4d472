import { expect, test } from '@jest/globals';
import { baseImages, replaceBaseImages } from './dockerfile.js';

const namesIn = (text: string) => baseImages(text)?.map(({ name }) => name);

test('the images of all stages are found, with the defaults of arguments and without the stages themselves', () => {
  const text = [
    '# syntax=docker/dockerfile:1',
    'ARG VERSION=3.13',
    'ARG BASE="python:${VERSION}-slim"',
    'FROM --platform=linux/amd64 golang:1.26 AS Build',
    'RUN echo FROM nothing && \\',
    '    # a comment between',
    '    echo more',
    'FROM ${BASE}',
    'COPY --from=build /a /a',
    'COPY --chown=1 --from=ghcr.io/astral-sh/uv:0.9 /uv /bin/uv',
    'RUN --mount=type=bind,from=busybox,target=/b true',
    'RUN <<END',
    'FROM inside a text',
    'END',
    'FROM build',
    'FROM 0',
    'FROM scratch',
  ].join('\n');
  expect(baseImages(text)).toEqual([
    { name: 'golang:1.26', line: 4, isKnown: true },
    { name: 'python:3.13-slim', line: 8, isKnown: true },
    { name: 'ghcr.io/astral-sh/uv:0.9', line: 10, isKnown: true },
    { name: 'busybox', line: 11, isKnown: true },
  ]);
});

test('a text without FROM has no images, and a variable without a value is not known', () => {
  expect(baseImages('RUN true')).toBeUndefined();
  expect(baseImages('')).toBeUndefined();
  expect(baseImages('FROM $WHAT')).toEqual([{ name: '$WHAT', line: 1, isKnown: false }]);
  expect(namesIn('FROM ${WHAT:-debian:13}')).toEqual(['debian:13']);
});

test('another sign may continue lines', () => {
  expect(namesIn('# escape=`\nFROM `\n  debian:13\n')).toEqual(['debian:13']);
  expect(namesIn('from \\\n  debian:13\n')).toEqual(['debian:13']);
});

test('the names of images are replaced on their lines, and those of stages are kept', () => {
  const text = 'ARG A=x\nFROM --platform=a \\\n  ${A}:1 AS one\nRUN true\nFROM one\nFROM scratch\n';
  const replaced = replaceBaseImages(text, (name) => `local/${name}`);
  expect(replaced).toBe('ARG A=x\nFROM local/x:1 AS one\n\nRUN true\nFROM one\nFROM scratch\n');
});
