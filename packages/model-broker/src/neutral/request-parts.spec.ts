import type { Payload, WireKey } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requestParts } from './request-parts.js';
import { neutralText } from './volatile-text.js';

/** The values that differ between two attempts. */
interface Session {
  uuid: string;
  other: string;
  epochMs: number;
  at: Date;
  seconds: number;
  pid: number;
}

const session: fc.Arbitrary<Session> = fc.record({
  uuid: fc.uuid(),
  other: fc.uuid(),
  epochMs: fc.integer({ min: 1_700_000_000_000, max: 1_899_999_999_999 }),
  at: fc.date({ min: new Date('2024-01-01'), max: new Date('2029-12-30'), noInvalidDate: true }),
  seconds: fc.float({ min: 0, max: 5_000, noNaN: true }),
  pid: fc.integer({ min: 1, max: 4_194_304 }),
});

const dateOf = (at: Date) => at.toISOString().slice(0, 10);
const writtenDate = (at: Date, month: 'long' | 'short', weekday: 'long' | 'short') =>
  at.toLocaleDateString('en-US', { weekday, year: 'numeric', month, day: 'numeric', timeZone: 'UTC' });

/** A later request of each coding agent, in the shapes that were recorded from it. `word` is a part of the task. */
const REQUESTS: Record<string, { wire: WireKey; body: (of: Session, word: string) => Payload }> = {
  'Claude Code': {
    wire: 'anthropic',
    body: ({ uuid, other, at, seconds }, word) => ({
      model: 'm',
      max_tokens: 32_000,
      stream: true,
      metadata: { user_id: `user_${uuid}_account__session_${other}` },
      system: [{ type: 'text', text: `You are Claude Code.\nToday's date is ${dateOf(at)}.` }],
      tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: `Fix ${word}.` }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: `1 passed in ${seconds.toFixed(2)}s\n/tmp/claude-1000/-workspace/${other}/tasks`,
            },
          ],
        },
      ],
    }),
  },
  Codex: {
    wire: 'responses',
    body: ({ uuid, other, at, seconds }, word) => ({
      model: 'm',
      instructions: 'You are a coding agent.',
      prompt_cache_key: uuid,
      client_metadata: { session_id: uuid, thread_id: uuid, turn_id: other, window_id: `${uuid}:0` },
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Fix ${word}.` }] },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: `<current_date>${dateOf(at)}</current_date>` }],
        },
        {
          type: 'function_call',
          id: `fc_${other}`,
          call_id: 'call_1',
          name: 'exec_command',
          arguments: '{}',
        },
        {
          type: 'function_call_output',
          id: `fco_${uuid}`,
          call_id: 'call_1',
          output: `Chunk ID: ${uuid.slice(0, 6)}\nWall time: ${seconds.toFixed(4)} seconds\nProcess exited with code 0`,
        },
      ],
    }),
  },
  'Gemini CLI': {
    wire: 'google',
    body: ({ epochMs, at, pid }, word) => ({
      systemInstruction: { parts: [{ text: 'You are an interactive CLI agent.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: `Today's date is ${writtenDate(at, 'long', 'long')}. Fix ${word}.` }],
        },
        {
          role: 'model',
          parts: [
            { functionCall: { id: `run_shell_command_${epochMs}_0`, name: 'run_shell_command', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: `run_shell_command_${epochMs}_0`,
                name: 'run_shell_command',
                response: { output: `Output: ok\nProcess Group PGID: ${pid}` },
              },
            },
          ],
        },
      ],
    }),
  },
  opencode: {
    wire: 'chat',
    body: ({ at }, word) => ({
      model: 'm',
      messages: [
        {
          role: 'system',
          content: `<env>\n  Today's date: ${at.toUTCString().slice(0, 3)} ${shortDate(at)}\n</env>`,
        },
        { role: 'user', content: `Fix ${word}.` },
      ],
      stream: true,
    }),
  },
  pi: {
    wire: 'chat',
    body: ({ at }, word) => ({
      model: 'm',
      messages: [
        {
          role: 'system',
          content: `You are pi.\nCurrent date and time: ${writtenDate(at, 'long', 'long')} at ${clock(at)}`,
        },
        { role: 'user', content: `Fix ${word}.` },
      ],
    }),
  },
  'Qwen Code': {
    wire: 'chat',
    body: ({ uuid, other, at, epochMs }, word) => ({
      model: 'm',
      metadata: { sessionId: uuid, promptId: other },
      messages: [
        { role: 'system', content: 'You are Qwen Code.' },
        {
          role: 'user',
          content: `Today's date is ${writtenDate(at, 'long', 'long')}. Fix ${word}. (${epochMs})`,
        },
      ],
    }),
  },
};

function shortDate(at: Date): string {
  const month = at.toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' });
  return `${month} ${String(at.getUTCDate()).padStart(2, '0')} ${at.getUTCFullYear()}`;
}

function clock(at: Date): string {
  return at.toLocaleTimeString('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
  });
}

const digests = (body: Payload, wire: WireKey) => requestParts(body, wire).map(({ digest }) => digest);

describe('the neutral form of a request', () => {
  test.each(Object.entries(REQUESTS))(
    'Requests of %s in two sessions are the same, and those of two tasks are not',
    (_name, { wire, body }) => {
      fc.assert(
        fc.property(session, session, (one, other) => {
          expect(digests(body(one, 'the sum'), wire)).toEqual(digests(body(other, 'the sum'), wire));
          expect(digests(body(one, 'the sum'), wire)).not.toEqual(digests(body(one, 'the product'), wire));
        }),
      );
    },
  );

  test('The exact form has times and durations of texts, and none of the marks of outputs', () => {
    const of = (output: string) =>
      requestParts({ input: [{ type: 'function_call_output', call_id: 'c', output }] }, 'responses', 'exact');
    const codex = (id: string, seconds: string, text: string) =>
      `Chunk ID: ${id}\nWall time: ${seconds} seconds\nOutput:\n${text}`;
    expect(of(codex('0a1b2c', '0.0512', 'OK'))).toEqual(of(codex('ffffff', '12.5', 'OK')));
    expect(of('Output: ok\nProcess Group PGID: 17')).toEqual(of('Output: ok\nProcess Group PGID: 4711'));
    for (const [one, other] of [
      [codex('0a1b2c', '0.0512', 'Ran in 0.1 s'), codex('0a1b2c', '0.0512', 'Ran in 0.2 s')],
      ['Wall time: 1 seconds', 'Wall time: 2 seconds'],
      ['2026-11-23', '2026-11-24'],
    ] as const) {
      expect(of(one)).not.toEqual(of(other));
    }
  });

  test('A change of any text without ids, times or durations is a difference in its part alone', () => {
    const words = fc.stringMatching(/^[a-z]{1,12}$/);
    const contents = fc.array(words, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(contents, fc.nat(), words, (texts, at, word) => {
        const index = at % texts.length;
        const changed = texts.with(index, word);
        const of = (list: string[]) => ({
          model: 'm',
          messages: list.map((content) => ({ role: 'user', content })),
        });
        const [before, after] = [requestParts(of(texts), 'chat'), requestParts(of(changed), 'chat')];
        const different = after.filter(({ digest }, part) => digest !== before[part]?.digest);
        const isChanged = texts[index] !== word;
        expect(different.map(({ path }) => path)).toEqual(isChanged ? [`messages[${index}]`] : []);
      }),
    );
  });

  test('The order of members is no difference, and conversations come after all other parts', () => {
    const [one, other] = [
      { messages: [{ role: 'user', content: 'a' }], tools: [{ b: 1, a: 2 }], model: 'm' },
      { model: 'm', tools: [{ a: 2, b: 1 }], messages: [{ content: 'a', role: 'user' }] },
    ].map((body) => requestParts(body, 'chat'));
    expect(one).toEqual(other);
    expect(one?.map(({ path }) => path)).toEqual(['model', 'tools[0]', 'messages[0]']);
  });

  test('A neutral text stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), session, (text, { uuid, at, epochMs, seconds }) => {
        const once = neutralText(`${text} ${uuid} ${at.toISOString()} ${epochMs} ${seconds}s ${text}`);
        expect(neutralText(once)).toBe(once);
      }),
    );
  });

  test('Numbers, positions in files and versions are no times', () => {
    for (const text of [
      'main.py:12:30',
      'v1.2.3',
      '42 files',
      'line 7',
      'HTTP 404',
      'sha 1f2e3d',
      'port 13131',
    ]) {
      expect(neutralText(text)).toBe(text);
    }
  });
});
