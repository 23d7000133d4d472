import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Message } from './message.js';
import { isTypedByPeople, MESSAGES, wireInput } from './testing/recordings/catalogue.js';
import {
  breaksSince,
  REFUSED_BY_OLDER,
  type Recording,
  recordingsOf,
  releases,
} from './testing/recordings/recordings.js';

const newest = releases().at(-1) ?? '';

describe.each(releases())('a recording of release %s', (release) => {
  const known = recordingsOf(release).flatMap((recording) => {
    const message = MESSAGES.get(recording.subject);
    return message ? [[recording.subject, recording, message] as [string, Recording, Message]] : [];
  });

  test.each(known)(
    'a recording of a release is valid for the current contract: %s',
    (_subject, { inputs, outputs = [] }, message) => {
      for (const input of inputs) expect(wireInput(message).safeParse(input).error).toBeUndefined();
      for (const output of message.kind === 'rpc' ? outputs : []) {
        expect(message.kind === 'rpc' && message.output.safeParse(output).error).toBeUndefined();
      }
    },
  );

  // Samples cannot show this: they may contain optional members, and unknown members are ignored.
  test.each(known)(
    'a recording of a release has all members that it had: %s',
    (subject, recording, message) => {
      expect(breaksSince(recording, message)).toEqual(REFUSED_BY_OLDER[subject] ?? []);
    },
  );
});

describe('a message', () => {
  test('each message has a recording of the newest release, and so has every reply', () => {
    const recorded = new Map(recordingsOf(newest).map((recording) => [recording.subject, recording]));
    const without = [...MESSAGES.values()].filter(({ subject, kind }) => {
      const { inputs = [], outputs = [] } = recorded.get(subject) ?? {};
      return inputs.length === 0 || (kind === 'rpc' && outputs.length === 0);
    });
    expect(without.map(({ subject }) => subject)).toEqual([]);
  });

  const betweenMachines = [...MESSAGES.values()].filter((message) => !isTypedByPeople(message));
  test.each(betweenMachines.map((message) => [message.subject, message] as const))(
    'a message between machines may have members that a later release adds: %s',
    (_subject, { input }) => {
      const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
      expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
    },
  );
});
