import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { event, type Message } from '../../message.js';
import { record, recordingsOf } from './recordings.js';

const Said = z.object({ word: z.string(), loud: z.boolean().optional() });
const said = event('tests.v1.said', { input: Said });
const told = event('tests.v1.told', { input: Said });

describe('recordings of a release', () => {
  let folder: string;
  const hear = (...heard: [Message, unknown[]][]) =>
    record('1.0.0', new Map(heard.map(([message, inputs]) => [message, { inputs, outputs: [] }])), folder);
  const read = () =>
    Object.fromEntries(recordingsOf('1.0.0', folder).map(({ subject, inputs }) => [subject, inputs]));

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'recordings-'));
    hear([said, [{ word: 'a' }]], [told, [{ word: 'a' }]]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('keep what is there when a part of what services say is recorded', () => {
    expect(hear([said, [{ word: 'b' }, { word: 'b', loud: true }]], [told, []])).toEqual([]);
    expect(read()).toEqual({
      'evt.tests.v1.said': [{ word: 'a' }, { word: 'b', loud: true }],
      'evt.tests.v1.told': [{ word: 'a' }],
    });
  });

  test('tell which messages nobody has said', () => {
    expect(hear([event('tests.v1.thought', { input: Said }), []])).toEqual(['evt.tests.v1.thought']);
  });

  test('are not overwritten by a contract that they would be misunderstood by', () => {
    const renamed = event('tests.v1.said', { input: Said.omit({ loud: true }) });
    expect(() => hear([renamed, [{ word: 'b' }]])).toThrow('evt.tests.v1.said: loud is gone');
  });
});
