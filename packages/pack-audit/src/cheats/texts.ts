import type { AuditAgent } from '../agents/agent.js';
import { replyAgent } from '../agents/agent.js';
import { type CheatRow, type CheatTarget, cheatFamily } from './cheat.js';
import { programAgent } from './program.js';
import { readsText, textPaths } from './reach.js';
import { taskText } from './task.js';

const MIB = 1024 * 1024;

/** Replies with a text, and writes it to every file that a grader reads as a text. */
function textAgent(text: string, target: CheatTarget): AuditAgent | undefined {
  if (!readsText(target)) return undefined;
  const paths = target.mode === 'native' ? textPaths(target) : [];
  if (paths.length === 0) return replyAgent(text, target.mode);
  return programAgent(target, { files: Object.fromEntries(paths.map((path) => [path, text])), output: text });
}

/** The least that an agent can reply: what it gains by its form is no gain of a cheat. */
export function shortReplyAgent(target: CheatTarget): AuditAgent | undefined {
  return textAgent('x', target);
}

/** A row for a reply that is the same for every case. */
function guess(key: string, what: string, text: string): CheatRow {
  return {
    key,
    title: `The agent replies with ${what} to every task.`,
    constantReply: text,
    agent: (target) => textAgent(text, target),
  };
}

const COMMON = [
  ...['yes', 'no', 'true', 'false', 'none', 'null', 'unknown', 'other', 'ok', 'error', 'pass', 'fail'],
  ...[
    'positive',
    'negative',
    'neutral',
    'high',
    'medium',
    'low',
    'critical',
    'approve',
    'approved',
    'deny',
    'denied',
  ],
  ...[
    'reject',
    'rejected',
    'accept',
    'accepted',
    'refund',
    'escalate',
    'spam',
    'not spam',
    'ham',
    'open',
    'closed',
  ],
  ...[
    'red',
    'green',
    'blue',
    'black',
    'white',
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
  ],
  ...[
    'Sunday',
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
  ],
  ...[
    'November',
    'December',
    'Paris',
    'London',
    'Berlin',
    'Rome',
    'Madrid',
    'Tokyo',
    'Washington',
    'Beijing',
    'Moscow',
  ],
  ...[
    'Canberra',
    'Ottawa',
    'Vienna',
    'Lisbon',
    'Athens',
    'Cairo',
    'Python',
    'JavaScript',
    'Java',
    'SQL',
    'HTTP',
    'A',
  ],
  ...[
    'B',
    'C',
    'D',
    'E',
    '200',
    '404',
    '500',
    'success',
    'failure',
    'billing',
    'technical',
    'sales',
    'support',
    'USD',
  ],
];

const NUMBERS = Array.from({ length: 201 }, (_, index) => index);

/** Replies that hold many options at once. */
export const TEXTS = cheatFamily(
  'Replies that hold every option',
  'Require one value in a fixed form (`exact_match`, `numeric_match`, `json_path_match`, `extract_answer`), or bound the reply (`length_range`, `not_contains` of the wrong options) where a text is searched.',
  [
    {
      key: 'task_repeated',
      title: 'The agent replies with the whole task, filled in, several times.',
      agent: (target) => textAgent(Array.from({ length: 3 }, () => taskText(target)).join('\n\n'), target),
    },
    {
      key: 'task_words',
      title: 'The agent replies with every word of the task, one a line.',
      agent: (target) =>
        textAgent([...new Set(taskText(target).split(/[^\p{L}\p{N}_.-]+/u))].join('\n'), target),
    },
    {
      key: 'task_words_listed',
      title: 'The agent replies with a JSON list of every word of the task.',
      agent: (target) =>
        textAgent(JSON.stringify([...new Set(taskText(target).match(/[\p{L}\p{N}_.-]+/gu))]), target),
    },
    {
      key: 'all_options',
      title: 'The agent replies with all options that a question can have.',
      agent: (target) =>
        textAgent(
          [...'ABCDEFGH'].flatMap((each) => [each, `(${each})`, `${each})`, `Answer: ${each}`]).join('\n'),
          target,
        ),
    },
    {
      key: 'all_numbers',
      title: 'The agent replies with every whole number from 0 to 200.',
      agent: (target) => textAgent(NUMBERS.join('\n'), target),
    },
    {
      key: 'common_replies',
      title: 'The agent replies with a long list of common replies.',
      agent: (target) => textAgent([...COMMON, ...NUMBERS].join('\n'), target),
    },
    {
      key: 'common_replies_in_line',
      title: 'The agent replies with a long list of common replies, separated by commas.',
      agent: (target) =>
        textAgent([...COMMON, ...COMMON.map((each) => each.toLowerCase())].join(', '), target),
    },
    {
      key: 'alphabet_repeated',
      title: 'The agent replies with a megabyte of the letters and digits of the alphabet.',
      agent: (target) => {
        const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ';
        return textAgent(letters.repeat(Math.floor(MIB / letters.length)), target);
      },
    },
    {
      key: 'pattern_bait',
      title:
        'The agent replies with one example of every usual form: dates, amounts, addresses, identifiers, code.',
      agent: (target) =>
        textAgent(
          [
            ...[
              '2024-01-01',
              '01/02/2024',
              '12:30:00',
              '2024-01-01T12:30:00Z',
              '$12.50',
              '12.50 EUR',
              '42 %',
              '-1.5e3',
            ],
            ...[
              'a@example.com',
              'https://example.com/a?b=c',
              '192.168.0.1',
              '+1 555 0100',
              'ABC-123',
              'ORD-1001',
              '#42',
            ],
            ...[
              '123e4567-e89b-12d3-a456-426614174000',
              'v1.2.3',
              'SELECT * FROM a WHERE b = 1;',
              '<a href="b">c</a>',
            ],
            ...[
              '```json\n{"answer": 42}\n```',
              'def a(b):\n    return b',
              'function a() { return 1; }',
              '1. First\n2. Second',
            ],
            ...[
              '- item',
              '# Title',
              '**bold**',
              'Answer: 42',
              '\\boxed{42}',
              '#### 42',
              'The answer is 42.',
              'Dear Sir or Madam,',
            ],
          ].join('\n'),
          target,
        ),
    },
    {
      key: 'confusable_letters',
      title:
        'The agent replies with the task in letters that only look the same, with invisible ones in between.',
      fix: 'Compare after `normalized_match`, refuse letters of other scripts (`regex_match`), and do not rely on `not_contains` alone.',
      agent: (target) => textAgent(confusable(taskText(target)), target),
    },
  ],
);

const CONFUSABLE: Readonly<Record<string, string>> = {
  ...{ a: 'а', c: 'с', e: 'е', i: 'і', j: 'ј', o: 'о', p: 'р', s: 'ѕ', x: 'х', y: 'у' },
  ...{ A: 'А', B: 'В', C: 'С', E: 'Е', H: 'Н', K: 'К', M: 'М', O: 'О', P: 'Р', T: 'Т', X: 'Х' },
};
const ZERO_WIDTH = '\u200b';

function confusable(text: string): string {
  return text
    .split(' ')
    .map((word) => [...word].map((letter) => CONFUSABLE[letter] ?? letter).join(''))
    .map((word) => `${word.slice(0, 1)}${ZERO_WIDTH}${word.slice(1)}`)
    .join(' ');
}

/** Replies that are right by chance in some cases, and a flaw where they are right in all. */
export const GUESSES = cheatFamily(
  'The same reply to every task',
  'Add cases with other expectations, so that no constant reply is right in all of them, and check more than the form of a reply.',
  [
    guess('reply_empty', 'an empty text', ''),
    guess('reply_blank', 'white space', ' \n\t \n'),
    ...['yes', 'no', 'true', 'false'].map((text) => guess(`reply_${text}`, `"${text}"`, text)),
    ...[...'ABCD'].map((text) => guess(`reply_${text.toLowerCase()}`, `"${text}"`, text)),
    ...[0, 1].map((number) => guess(`reply_${number}`, `the number ${number}`, String(number))),
    guess('reply_object', 'an empty JSON object', '{}'),
    guess('reply_list', 'an empty JSON list', '[]'),
    guess('reply_null', 'null', 'null'),
    guess(
      'reply_unknown',
      'that it does not know',
      "I'm sorry, but I cannot determine the answer from the information given.",
    ),
  ],
);
