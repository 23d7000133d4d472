import { expect, test } from '@jest/globals';
import { patternSearches } from '../testing/attempt-harness.js';
import { checkMessage } from './conversation.js';

const context = {
  patternSearches,
  signal: new AbortController().signal,
  exclude: () => undefined,
  read: async () => 'from a file\n',
};

test.each([
  ['exact_match', ' yes\n', 'yes ', true],
  ['exact_match', 'Yes', 'yes', false],
  ['contains', 'the refund is late', 'refund', true],
  ['contains', 'the Refund is late', 'refund', false],
  ['regex_match', 'I am so sorry.', '(?i)SORRY|apolog', true],
  ['regex_match', 'on 5 May', '\\d{1,2} June', false],
  ['regex_match', 'anything', '(unclosed', false],
] as const)(
  'the expectation %s on the message %j with the text %j passes: %s',
  async (kind, message, text, passed) => {
    expect(await checkMessage(message, [{ key: 'k', kind, text }], context)).toEqual([
      { key: 'k', kind, passed },
    ]);
  },
);

test('an expectation may lie in a file', async () => {
  const artifact = { artifact_id: 'a', sha256: '', bytes: 0 };
  const [outcome] = await checkMessage('from a file', [{ key: 'k', kind: 'exact_match', artifact }], context);
  expect(outcome?.passed).toBe(true);
});
