import { type EvaluationSpec, type JsonObject, readEvaluationSpec } from '@agentclash/challengepack';
import {
  type AttemptEvidence,
  aggregateRunAgent,
  type ComparisonSide,
  compareRunAgents,
  type Scorecard,
  scoreAttempt,
  scoreValidators,
  summarizeAttempt,
} from '@agentclash/grading';
import { Levenshtein } from 'autoevals';
import { l as rougeL, n as rougeN } from 'js-rouge';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';

const WHOLE = { attempts: 10_000, warmUpMs: 200, measuredMs: 400 };
type Plan = typeof WHOLE;
const QUICK: Plan = { attempts: 20, warmUpMs: 1, measuredMs: 1 };
const WORDS = 'the quick brown fox jumps over a lazy dog while seven wizards quietly box in Lima'.split(' ');

/** String scores beside independent ones, scoring of many attempts, and a comparison of many cases. */
export async function benchScoring({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const plan = isQuick ? QUICK : WHOLE;
  const figures: Figure[] = [];
  for (const [size, characters] of [
    ['200', 200],
    ['10k', 10_000],
  ] as const) {
    figures.push(...(await stringFigures(size, characters, plan)));
  }
  return [...figures, ...(await attemptFigures(plan)), ...(await comparisonFigures(plan))];
}

/** Each row: our validator alone, from recorded evidence to result, and the libraries that compute the same. */
async function stringFigures(size: string, characters: number, plan: Plan): Promise<Figure[]> {
  const [actual, expected] = [textOf(characters, 1), textOf(characters, 2)];
  const rateOf = (call: () => unknown) => rateAfterWarmUp(call, plan);
  const ours = async (type: string, config: JsonObject = {}) => {
    const spec = specOf([
      { key: 'v', type, target: 'final_output', expected_from: `literal:${expected}`, config },
    ]);
    const evidence = evidenceOf(actual);
    return await rateOf(() => scoreValidators(spec, evidence));
  };
  const rows = [
    ['levenshtein', await ours('fuzzy_match'), await rateOf(() => Levenshtein({ output: actual, expected }))],
    ['rouge_l', await ours('rouge_score'), await rateOf(() => rougeL(actual, expected, {}))],
    [
      'rouge_1',
      await ours('rouge_score', { variant: 'rouge-1' }),
      await rateOf(() => rougeN(actual, expected, { n: 1 })),
    ],
  ] as const;
  const alone = ['exact_match', 'token_f1', 'bleu_score', 'chrf_score'];
  const others: Figure[] = [];
  for (const type of alone) {
    const value = await ours(type);
    others.push({
      key: `${type}_${size}_per_second`,
      name: `${type}, ${size} characters`,
      value,
      unit: '1/s',
    });
  }
  return [
    ...rows.flatMap(([key, own, other]): Figure[] => [
      { key: `${key}_${size}_per_second`, name: `${key}, ${size} characters`, value: own, unit: '1/s' },
      { key: `${key}_${size}_times_faster`, name: `${key}, beside the peer`, value: own / other, unit: '×' },
    ]),
    ...others,
  ];
}

async function attemptFigures({ attempts }: Plan): Promise<Figure[]> {
  const spec = specOf([
    { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' },
    { key: 'near', type: 'fuzzy_match', target: 'final_output', expected_from: 'literal:Lima' },
    { key: 'pattern', type: 'regex_match', target: 'final_output', expected_from: 'literal:^L' },
  ]);
  let peak = 0;
  const startedAt = performance.now();
  for (let index = 0; index < attempts; index++) {
    scoreAttempt(spec, evidenceOf(index % 3 === 0 ? 'Lima' : `Lim${index}`));
    if (index % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const name = `scoring ${attempts} attempts with three validators`;
  return [
    { key: 'attempts_per_second', name, value: attempts / seconds, unit: '1/s' },
    { key: 'attempts_peak_mib', name: `${name}: peak memory`, value: peak / 2 ** 20, unit: 'MiB' },
  ];
}

async function comparisonFigures({ attempts: cases }: Plan): Promise<Figure[]> {
  const spec = specOf([
    { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:Lima' },
  ]);
  const [good, poor] = [scoreAttempt(spec, evidenceOf('Lima')), scoreAttempt(spec, evidenceOf('Cusco'))];
  const [baseline, candidate] = [3, 4].map((every) =>
    sideOf(spec, cases, (index) => (index % every ? good : poor)),
  );
  if (!baseline || !candidate) throw new Error('a comparison has two sides');
  const startedAt = performance.now();
  compareRunAgents([{ baseline, candidate }]);
  const value = (performance.now() - startedAt) / 1_000;
  return [{ key: 'comparison_seconds', name: `comparing two runs of ${cases} cases`, value, unit: 's' }];
}

function sideOf(spec: EvaluationSpec, cases: number, cardOf: (index: number) => Scorecard): ComparisonSide {
  const attempts = Array.from({ length: cases }, (_, index) => ({
    case_key: `case-${index}`,
    repetition: 1,
    scorecard: summarizeAttempt(cardOf(index)),
  }));
  const scorecard = aggregateRunAgent(spec, { attempts, planned_attempts: cases, repetitions: 1 });
  const of = { challenge_pack_version_id: 'v', challenge_input_set_id: 's', evaluation_spec_id: 'e' };
  return { run_agent_id: 'a', ...of, scorecard };
}

/** Calls a second, once the compiler has seen enough of them. */
async function rateAfterWarmUp(call: () => unknown, { warmUpMs, measuredMs }: Plan): Promise<number> {
  await rateFor(warmUpMs, call);
  return await rateFor(measuredMs, call);
}

async function rateFor(leastMs: number, call: () => unknown): Promise<number> {
  let calls = 0;
  const startedAt = performance.now();
  do {
    await call();
    calls += 1;
  } while (performance.now() - startedAt < leastMs);
  return (calls * 1_000) / (performance.now() - startedAt);
}

function specOf(validators: JsonObject[]): EvaluationSpec {
  const scorecard = { dimensions: ['correctness'], pass_threshold: 0.5 };
  return readEvaluationSpec({
    name: 'bench',
    version_number: 1,
    judge_mode: 'deterministic',
    validators,
    scorecard,
  });
}

function evidenceOf(final_output: string): AttemptEvidence {
  const event = { event_type: 'system.output.finalized', occurred_at: '2026-01-01T00:00:00.000Z' };
  return {
    attempt: { outcome: 'completed' },
    case: {},
    events: [{ sequence_number: 1, ...event, payload: { final_output } }],
  };
}

/** Words in an order that depends on the seed. */
function textOf(characters: number, seed: number): string {
  let text = '';
  for (let state = seed; text.length < characters; state = (state * 48_271) % 2_147_483_647) {
    text += `${WORDS[state % WORDS.length]} `;
  }
  return text.slice(0, characters).trim();
}
