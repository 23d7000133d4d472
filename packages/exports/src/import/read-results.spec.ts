import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ResultRecord, resultRecord } from '../results/record.js';
import { exportedAttempt, RUN } from '../testing/records.js';
import type { ReadAttempt, ReadDefaults } from './read-attempt.js';
import { readResults } from './read-results.js';

const RECORD = resultRecord(RUN, exportedAttempt());

/** Reads bytes that arrive in chunks of some length. */
async function read(
  content: string | Uint8Array,
  { chunk = 7, ...defaults }: ReadDefaults & { chunk?: number } = {},
): Promise<ReadAttempt[]> {
  const bytes = Buffer.from(content);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  };
  const records: ReadAttempt[] = [];
  for await (const record of readResults(chunks(), defaults)) records.push(record);
  return records;
}

const lineOf = (values: object) => JSON.stringify({ lane: 'a', case_key: 'k', ...values });

describe('a file of results', () => {
  test('an exported record is read back with its scores and figures', async () => {
    const [found] = await read(`${JSON.stringify(RECORD)}\n`);
    expect(found).toMatchObject({
      location: 'line 1',
      source: { pack: 'sums', version_number: 2, version_digest: 'sha256:00', input_set: 'default' },
      attempt: {
        ...{ lane: 'lane 6', case_key: 'small', repetition: 1, outcome: 'completed' },
        ...{ cost_usd: null, cost_at_least_usd: 0.25, latency_ms: 12.5, model_calls: 2, tool_calls: 1 },
        usage: { input: 3_000_000_000, output: 7, total: 3_000_000_007 },
        scores: {
          dimensions: {
            correctness: { state: 'available', score: 0.5, raw: null },
            speed: { score: 1, raw: { value: 12.5, unit: 'ms' } },
          },
          validators: { exact: { state: 'scored', verdict: 'fail', score: 0, reason: 'mismatch' } },
          judges: { tone: { state: 'unavailable', score: null, reason: 'no_model' } },
          metrics: { steps: 4, done: true },
        },
      },
    });
  });

  test('a record of another program needs a case and a lane, which may be named for all', async () => {
    const [own, named] = await Promise.all([
      read('{"lane":"a","case_key":"k","final_output":"42"}'),
      read('{"case_key":"k"}', { lane: 'b' }),
    ]);
    expect(own).toMatchObject([{ attempt: { lane: 'a', repetition: 1, final_output: '42' } }]);
    expect(own[0]).not.toHaveProperty('attempt.scores');
    expect(named).toMatchObject([{ attempt: { lane: 'b', case_key: 'k', final_output: null } }]);
  });

  test('recorded scores are left out where the pack is to grade', async () => {
    const [found] = await read(JSON.stringify(RECORD), { withoutScores: true });
    expect(found).not.toHaveProperty('attempt.scores');
  });

  test('an attempt that never ended is no attempt', async () => {
    const skipped: ResultRecord = { ...RECORD, state: 'skipped', outcome: null };
    expect(await read(JSON.stringify(skipped))).toEqual([{ location: 'line 1', unfinished: true }]);
  });

  test('a byte order mark, Windows line ends and empty lines are no problem', async () => {
    const found = await read(`\uFEFF${lineOf({})}\r\n\r\n${lineOf({ repetition: 2 })}\r\n`);
    expect(found.map(({ location }) => location)).toEqual(['line 1', 'line 3']);
    expect(found.every((record) => 'attempt' in record)).toBe(true);
  });
});

const metricOf = (m: number) => ({ dimensions: { d: { score: 1 } }, metrics: { m } });
const rawOf = (value: number) => ({ dimensions: { d: { score: 1, raw: { value, unit: null } } } });
const deep = `${'['.repeat(65)}${']'.repeat(65)}`;

describe('a malformed file of results', () => {
  test.each<[what: string, line: string | Uint8Array, field: string]>([
    ['no JSON', '{"lane":', ''],
    ['a value that is no object', '[1]', ''],
    ['null', 'null', ''],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), ''],
    ['deep nesting', `{"case_key":"k","x":${deep}}`, ''],
    ['no case', '{"lane":"a"}', 'case_key'],
    ['a case that is a number', lineOf({ case_key: 1 }), 'case_key'],
    ['an empty case', lineOf({ case_key: '' }), 'case_key'],
    ['a case with U+0000', lineOf({ case_key: 'a\u0000b' }), 'case_key'],
    ['no lane', '{"case_key":"k"}', 'lane'],
    ['another form', lineOf({ schema: 'agentclash.result/2' }), 'schema'],
    ['a repetition of 0', lineOf({ repetition: 0 }), 'repetition'],
    ['a repetition of 1.5', lineOf({ repetition: 1.5 }), 'repetition'],
    ['an unknown outcome', lineOf({ outcome: 'won' }), 'outcome'],
    ['a negative cost', lineOf({ cost_usd: -1 }), 'cost_usd'],
    ['a cost of 1e999', '{"lane":"a","case_key":"k","cost_usd":1e999}', 'cost_usd'],
    ['a cost that no attempt has', lineOf({ cost_usd: 1e308 }), 'cost_usd'],
    ['a time that no attempt takes', lineOf({ latency_ms: 1e12 }), 'latency_ms'],
    ['tokens that no attempt uses', lineOf({ total_tokens: 1e13 }), 'total_tokens'],
    ['a start that is no time', lineOf({ started_at: 'yesterday' }), 'started_at'],
    ['an end on a day that no calendar has', lineOf({ finished_at: '2020-13-45' }), 'finished_at'],
    ['a misspelt name', lineOf({ finaloutput: '42' }), 'finaloutput'],
    ['a key twice', '{"lane":"a","case_key":"k","cost_usd":1,"cost_usd":2}', 'cost_usd'],
    ['a key twice, written in two ways', '{"lane":"a","case_key":"k","metrics":{"m":1, "\\u006d" : 2}}', 'm'],
    ['tokens as text', lineOf({ total_tokens: '7' }), 'total_tokens'],
    ['a score above 1', lineOf({ dimensions: { d: { score: 1.1 } } }), 'dimensions.d.score'],
    ['a score that is a text', lineOf({ dimensions: { d: { score: '1' } } }), 'dimensions.d.score'],
    ['dimensions that are a list', lineOf({ dimensions: [1] }), 'dimensions'],
    ['a verdict that is none', lineOf({ validators: { v: { verdict: 'ok' } } }), 'validators.v.verdict'],
    ['a metric that is a text', lineOf({ metrics: { m: 'x' } }), 'metrics.m'],
    ['a metric that is too large', lineOf(metricOf(1e308)), 'metrics.m'],
    ['a metric that is too small', lineOf(metricOf(-1e16)), 'metrics.m'],
    ['a raw value that is too large', lineOf(rawOf(1e308)), 'dimensions.d.raw.value'],
    ['a score of 1e308', lineOf({ judges: { j: { score: 1e308 } } }), 'judges.j.score'],
    ['an output that is too long', lineOf({ final_output: 'x'.repeat(131_073) }), 'final_output'],
  ])(
    'a line with %s is a problem with its location, and the next line is read',
    async (_what, line, field) => {
      const content = Buffer.concat([Buffer.from(line), Buffer.from(`\n${lineOf({})}\n`)]);
      const [problem, next] = await read(content, { chunk: 1_000 });
      expect(problem).toEqual({
        location: 'line 1',
        problems: expect.arrayContaining([
          { location: 'line 1', field, message: expect.stringMatching(/\w/) },
        ]),
      });
      expect(next).toMatchObject({ location: 'line 2', attempt: { case_key: 'k' } });
    },
  );

  test.each([
    [{ cost_usd: 1e308 }, 'must be at most 1000000000'],
    [{ cost_usd: -1 }, 'must be at least 0'],
    [{ cost_usd: '1' }, 'must be a number'],
    [{ repetition: 1.5 }, 'must be a whole number'],
    [{ case_key: null }, 'is missing'],
    [{ case_key: '' }, 'must not be empty'],
    [{ started_at: 'yesterday' }, 'must be a date and time, such as 2026-01-31T09:30:00Z'],
    [{ finaloutput: 'x' }, 'is no field of this format'],
    [{ limit_kind: 'x' }, expect.stringMatching(/^must be "/)],
    [metricOf(1e308), 'must be at most 1000000000000000'],
    [rawOf(-1e308), 'must be at least -1000000000000000'],
    [{ metrics: { m: 'x' } }, 'has a value that the format does not allow'],
  ])('the problem of %j is stated in words', async (values, message) => {
    expect(await read(lineOf(values))).toMatchObject([{ problems: [{ message }] }]);
  });

  test('a field with the name of a member that every object has is named as it is', async () => {
    expect(await read(lineOf({ constructor: 'x' }))).toMatchObject([
      { problems: [{ field: 'constructor' }] },
    ]);
  });

  test('times with and without an offset are read, and keys of different objects may be the same', async () => {
    const times = { started_at: '2026-01-31T09:30:00+01:00', finished_at: '2026-01-31T09:30:00.123Z' };
    const scores = { dimensions: { m: { score: 1 }, n: { score: 1 } }, metrics: { m: 1, 'a"b': 2 } };
    const [found] = await read(lineOf({ ...times, ...scores, final_output: '"x": {"x": "\\\\"' }));
    expect(found).toMatchObject({ attempt: { case_key: 'k' } });
  });

  test('a line that is too long is a problem, and nothing of it is kept', async () => {
    const [problem, next] = await read(`"${'x'.repeat(4_194_304)}"\n${lineOf({})}`, { chunk: 65_536 });
    expect(problem).toMatchObject({ problems: [{ message: 'is longer than 4194304 bytes' }] });
    expect(next).toMatchObject({ location: 'line 2', attempt: { case_key: 'k' } });
  });

  test('any bytes are attempts, unfinished records or problems with a location', async () => {
    const mutated = fc
      .tuple(fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.nat(20))
      .map(([at, bytes, cut]) => {
        const valid = Buffer.from(JSON.stringify(RECORD));
        const from = at % valid.length;
        return Buffer.concat([valid.subarray(0, from), bytes, valid.subarray(from + cut)]);
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), async (content) => {
        for (const record of await read(content, { chunk: 64 })) {
          expect(record.location).toMatch(/^line \d+$/);
          if (!('problems' in record)) continue;
          expect(record.problems.length).toBeGreaterThan(0);
          for (const { location, message } of record.problems) expect([location, message]).not.toContain('');
        }
      }),
    );
  });
});
