import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { event, type Message } from '../../message.js';
import { record, recordingsOf, samplesOf } from './recordings.js';

const Word = z.object({ word: z.string(), loud: z.boolean().optional() });
const added = event('tests.v1.added', { input: Word });
const removed = event('tests.v1.removed', { input: Word });

describe('recordings of a release', () => {
  let folder: string;
  const observe = (...observed: [Message, unknown[]][]) =>
    record('1.0.0', new Map(observed.map(([message, inputs]) => [message, { inputs, outputs: [] }])), folder);
  const read = () =>
    Object.fromEntries(recordingsOf('1.0.0', folder).map(({ subject, inputs }) => [subject, inputs]));

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recordings-'));
    observe([added, [{ word: 'a' }]], [removed, [{ word: 'a' }]]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('existing samples are kept when a part of the messages is recorded', () => {
    expect(observe([added, [{ word: 'b' }, { word: 'b', loud: true }]], [removed, []])).toEqual([]);
    expect(read()).toEqual({
      'evt.tests.v1.added': [{ word: 'a' }, { word: 'b', loud: true }],
      'evt.tests.v1.removed': [{ word: 'a' }],
    });
  });

  test('the recordings of a release are one file, sorted by subject', () => {
    const before = event('tests.v1.aborted', { input: Word });
    observe([before, [{ word: 'c' }]]);
    expect(readdirSync(folder)).toEqual(['1.0.0.json']);
    const subjects = recordingsOf('1.0.0', folder).map(({ subject }) => subject);
    expect(subjects).toEqual(['evt.tests.v1.aborted', 'evt.tests.v1.added', 'evt.tests.v1.removed']);
  });

  test('recording reports the messages without a sample', () => {
    expect(observe([event('tests.v1.thought', { input: Word }), []])).toEqual(['evt.tests.v1.thought']);
  });

  test('recordings are not overwritten by an incompatible contract', () => {
    const renamed = event('tests.v1.added', { input: Word.omit({ loud: true }) });
    expect(() => observe([renamed, [{ word: 'b' }]])).toThrow('evt.tests.v1.added: loud is gone');
  });
});

test('samples show every member and every kind of value, by few', () => {
  const values = [{ a: 1 }, { a: 2 }, { a: 1, b: null }, { a: 3, b: 'x', c: [{ d: 1 }] }];
  expect(samplesOf(values)).toEqual([
    { a: 3, b: 'x', c: [{ d: 1 }] },
    { a: 1, b: null },
  ]);
});

test('kept samples stay, and only those that show more are added', () => {
  const kept = [{ a: 1 }];
  expect(samplesOf([{ a: 2 }], kept)).toEqual(kept);
  expect(samplesOf([{ a: 2 }, { a: 2, b: true }], kept)).toEqual([{ a: 1 }, { a: 2, b: true }]);
});

test('samples of the same shape are one, and an empty value has one', () => {
  expect(samplesOf([{}, {}])).toEqual([{}]);
  expect(samplesOf([])).toEqual([]);
});
