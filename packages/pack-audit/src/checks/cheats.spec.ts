import { describe, expect, test } from '@jest/globals';
import { CHEATS } from '../cheats/cheats.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import { Planner } from '../planning/planner.js';
import type { PlannedTrial } from '../planning/tasks.js';
import { readNaive } from '../testing/naive-document.js';
import type { Points } from '../trials/points.js';
import type { Trial, TrialResult } from '../trials/trial.js';
import { checkCheats } from './cheats.js';
import { type AuditContext, type AuditSizes, FULL_AUDIT, QUICK_AUDIT } from './context.js';

const NOTHING: Points = {
  ...{ passed: false, lacksJudges: false, overall: 0 },
  ...{ dimensions: { correctness: 0 }, validators: { reply: 0 } },
};
const PASSED: Points = {
  ...{ passed: true, lacksJudges: false, overall: 1 },
  ...{ dimensions: { correctness: 1 }, validators: { reply: 1 } },
};

const WHEN = { sequence_number: 1, occurred_at: '2026-01-01T00:00:00Z' };

function result(points: Points | null, hangs = false): TrialResult {
  return {
    ...{
      outcome: points ? 'completed' : 'infra_error',
      points,
      scorecard: null,
      finalOutput: null,
    },
    error: points ? null : { code: 'sandbox_killed', message: 'the sandbox ended' },
    evidence: {
      attempt: { outcome: 'completed', limit_kind: null, error_code: null },
      events: hangs
        ? [{ event_type: 'grader.verification.code_executed', payload: { timed_out: true }, ...WHEN }]
        : [],
      ...{ case: { payload: {}, inputs: {}, expectations: {}, artifacts: {} } },
    },
  };
}

const packOfCases = (cases: number) =>
  readNaive('questions', {
    ...{ mode: 'prompt_eval', instructions: 'Is it so?', cases },
    validators: [{ key: 'reply', type: 'exact_match', target: 'final_output', expected_from: 'literal:yes' }],
  });

const pack = await packOfCases(3);

/** A trial as its check planned it. */
type Played = Trial & { planned: PlannedTrial };

const replyOf = ({ planned: { plan } }: Played) => {
  const [step] = plan.agent.kind === 'scripted' ? plan.agent.config.steps : [];
  return step && 'answer' in step ? step.answer : undefined;
};

/** The outcome of the check where each trial ends as `play` decides. */
async function checked(
  play: (trial: Played) => Points | null | 'hangs',
  audited: AuditedPack = pack,
  { graders, sizes = FULL_AUDIT }: { graders?: (each: AuditedCase) => string; sizes?: AuditSizes } = {},
) {
  const planner = new Planner(audited);
  const context: AuditContext = {
    ...{ pack: audited, seed: 'seed', sizes, cases: audited.cases, hasSolution: () => false },
    drawMutants: async () => [],
    pointsOfReply: async () => undefined,
    expect: () => {},
    isInterrupted: () => false,
    runAll: async (trials) =>
      await Promise.all(
        trials.map(async (trial) => {
          const reply = await planner.plan({ ...trial, bytes: new Map() });
          const planned = 'planned' in reply ? reply.planned : null;
          if (!planned) return undefined;
          const points = play({ ...trial, planned });
          return points === 'hangs' ? result(NOTHING, true) : result(points);
        }),
      ),
  };
  return await checkCheats(context, {
    withoutWork: () => [NOTHING],
    graderOf: (each) => graders?.(each) ?? 'one',
    echoOf: () => undefined,
    solutionReplies: new Map(),
  });
}

const firstCase = pack.cases[0];

describe('the findings of cheats', () => {
  test('A pack on which no cheat gains passes, with the number of those that were tried.', async () => {
    const { findings, summary } = await checked(() => NOTHING);
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ state: 'passed', gained: 0 });
    expect(summary.tried).toBeGreaterThan(20);
  });

  test('A constant reply is a finding only where it passes every case.', async () => {
    const always = await checked((trial) => (replyOf(trial) === 'yes' ? PASSED : NOTHING));
    expect(always.findings).toEqual([
      expect.objectContaining({
        code: 'guess_passes',
        severity: 'error',
        cheat: 'reply_yes',
        case_key: 'case-1',
      }),
    ]);
    const once = await checked((trial) =>
      replyOf(trial) === 'yes' && trial.case === firstCase ? PASSED : NOTHING,
    );
    expect(once.findings).toEqual([]);
  });

  test('A cheat that passes several cases is one finding that names them.', async () => {
    const { findings, summary } = await checked((trial) =>
      replyOf(trial)?.includes('\n41\n42\n') ? PASSED : NOTHING,
    );
    const numbers = findings.find(({ cheat }) => cheat === 'all_numbers');
    expect(numbers).toMatchObject({
      ...{ code: 'cheat_passes', severity: 'error', validators: ['reply'] },
      ...{ case_key: 'case-1', other_case_keys: ['case-2', 'case-3'] },
    });
    expect(summary.state).toBe('failed');
  });

  test('Cheats that nearly all pass are one finding, and are counted.', async () => {
    const { findings, summary } = await checked(({ role }) => (role.kind === 'cheat' ? PASSED : NOTHING));
    const [passing, ...others] = findings.filter(({ code }) => code === 'cheat_passes');
    expect(others).toEqual([]);
    expect(passing).toMatchObject({ severity: 'error', validators: ['reply'], case_key: 'case-1' });
    expect(passing?.other_cheats?.length).toBeGreaterThan(10);
    expect(new Set([passing?.cheat, ...(passing?.other_cheats ?? [])]).size).toBeLessThanOrEqual(
      summary.gained,
    );
    expect(summary).toMatchObject({ state: 'failed', gained: summary.tried });
  });

  test('A rise of a score is a warning, but not below a gate that does not hold, and not a small one.', async () => {
    const half: Points = {
      ...NOTHING,
      overall: 0.5,
      dimensions: { correctness: 0.5 },
      validators: { reply: 0.5 },
    };
    const isNumbers = (trial: Played) => replyOf(trial) === CHEAT_TEXT;
    const codes = async (points: Points) =>
      (await checked((trial) => (isNumbers(trial) ? points : NOTHING))).findings.map(({ code }) => code);
    expect(await codes(half)).toEqual(['cheat_gains']);
    expect(await codes({ ...half, overall: 0 })).toEqual([]);
    expect(await codes({ ...half, overall: 0.05, dimensions: { correctness: 0.05 } })).toEqual([]);
  });

  test('A cheat that passes all but the judges is a warning.', async () => {
    const { findings, summary } = await checked((trial) =>
      replyOf(trial) === CHEAT_TEXT ? { ...PASSED, lacksJudges: true } : NOTHING,
    );
    expect(findings).toMatchObject([{ code: 'cheat_passes_but_judges', severity: 'warning' }]);
    expect(summary.state).toBe('passed');
  });

  test('A cheat with which the graders hang on the first case is tried on no other, and gains nothing.', async () => {
    const tried: (string | undefined)[] = [];
    const { findings } = await checked((trial) => {
      if (replyOf(trial) !== CHEAT_TEXT) return NOTHING;
      tried.push(trial.case.case.case_key);
      return 'hangs';
    });
    expect(tried).toHaveLength(1);
    expect(findings).toEqual([]);
  });

  test('A forged reply of a judge is tried where a judge or a rule about a member reads it, and nowhere else.', async () => {
    const tries = async (type: string, expected: string) => {
      const tried = new Set<string>();
      const audited = await readNaive('forged', {
        ...{ mode: 'prompt_eval', instructions: 'Is it so?' },
        validators: [{ key: 'reply', type, target: 'final_output', expected_from: `literal:${expected}` }],
      });
      await checked(({ role }) => {
        if (role.kind === 'cheat') tried.add(role.key);
        return NOTHING;
      }, audited);
      return ['judge_ordered', 'judge_reply_forged'].filter((key) => tried.has(key));
    };
    expect(await tries('exact_match', 'yes')).toEqual(['judge_ordered']);
    const assertion = '{"path":"$.score","comparator":"greater_than","value":4}';
    expect(await tries('json_path_match', assertion)).toEqual(['judge_ordered', 'judge_reply_forged']);
  });

  test('A cheat whose attempt is not graded leaves the audit incomplete.', async () => {
    const { findings, summary } = await checked((trial) => (replyOf(trial) === CHEAT_TEXT ? null : NOTHING));
    expect(findings).toMatchObject([
      {
        code: 'cheat_not_graded',
        severity: 'missing',
        detail: 'infra_error: sandbox_killed: the sandbox ended',
      },
    ]);
    expect(summary.state).toBe('incomplete');
  });

  test('Cheats that are all not graded for the same reason are one finding, and are counted.', async () => {
    const { findings, summary } = await checked(() => null);
    expect(findings).toMatchObject([
      {
        ...{ code: 'cheat_not_graded', severity: 'missing', case_key: 'case-1' },
        message: expect.stringMatching(/^None of \d+ cheats was graded, all for the same reason/),
        detail: 'infra_error: sandbox_killed: the sandbox ended',
      },
    ]);
    expect(summary).toMatchObject({
      state: 'incomplete',
      summary: expect.stringMatching(
        /^0 of \d+ cheats gain a point, \d+ were not graded, tried on 1 of 1 distinct grader; agents over an endpoint are not tried$/,
      ),
    });
  });

  test('A cheat that gains on the tests of one case of many is found, and the summary counts the graders.', async () => {
    const [many, last] = [await packOfCases(17), 'case-17'];
    const weak = (trial: Played) =>
      replyOf(trial) === CHEAT_TEXT && trial.case.case.case_key === last ? PASSED : NOTHING;
    const graders = (each: AuditedCase) => each.case.case_key;
    const full = await checked(weak, many, { graders });
    expect(full.findings).toMatchObject([{ code: 'cheat_passes', cheat: 'all_numbers', case_key: last }]);
    expect(full.summary).toMatchObject({ graders: 17, graders_tried: 17 });
    const two = (each: AuditedCase) => (each.case.case_key === last ? 'weak' : 'strong');
    const quick = await checked(weak, many, { graders: two, sizes: QUICK_AUDIT });
    expect(quick.findings).toMatchObject([{ code: 'cheat_passes', case_key: last }]);
    expect(quick.summary).toMatchObject({ graders: 2, graders_tried: 2 });
  });

  test('Graders on which no cheat was tried are a warning, with their number.', async () => {
    const { findings, summary } = await checked(() => NOTHING, await packOfCases(17), {
      graders: (each) => each.case.case_key,
      sizes: QUICK_AUDIT,
    });
    expect(findings).toMatchObject([
      {
        ...{ code: 'graders_not_covered', severity: 'warning' },
        message: 'Cheats were tried on 5 of 17 distinct graders: nothing is known about the others.',
      },
    ]);
    expect(summary).toMatchObject({
      ...{ state: 'passed', graders: 17, graders_tried: 5 },
      summary: expect.stringContaining('tried on 5 of 17 distinct graders'),
    });
  });

  test('Graders beyond the limit of trials are not counted as tried.', async () => {
    const limited = {
      graders: (each: AuditedCase) => each.case.case_key,
      sizes: { ...FULL_AUDIT, cheatTrials: 60 },
    };
    const { findings, summary } = await checked(() => NOTHING, await packOfCases(17), limited);
    expect(summary.graders_tried).toBeGreaterThan(1);
    expect(summary.graders_tried).toBeLessThan(6);
    expect(findings).toMatchObject([
      { code: 'graders_not_covered', message: expect.stringContaining(`on ${summary.graders_tried} of 17`) },
    ]);
  });

  test('A pack that lets agents hide many failures as missing data has a warning.', async () => {
    const wide = {
      ...pack,
      spec: { ...pack.spec, scorecard: { ...pack.spec.scorecard, max_missing_share: 0.3 } },
    };
    const { findings } = await checked(() => NOTHING, wide);
    expect(findings).toMatchObject([
      { code: 'failures_hidden', severity: 'warning', message: expect.stringMatching(/up to 30 % of/) },
    ]);
  });
});

const CHEAT_TEXT = Array.from({ length: 201 }, (_, index) => index).join('\n');

test('No cheat uses the content of an expectation.', async () => {
  const [hidden, other] = await Promise.all(
    ['blue whale', 'granite'].map((text) =>
      readNaive('hidden', {
        instructions: 'Write the name into the file name.txt, and a script check.sh.',
        ...{ output: 'name.txt', command: 'sh check.sh', grader: { 'expected.txt': text } },
      }),
    ),
  );
  const agents = (audited: AuditedPack | undefined) => {
    const tried: unknown[] = [];
    return checked((trial) => {
      tried.push(trial.planned.plan.agent);
      return NOTHING;
    }, audited).then(() => tried);
  };
  expect(CHEATS.length).toBeGreaterThan(0);
  expect(await agents(hidden)).toEqual(await agents(other));
});
