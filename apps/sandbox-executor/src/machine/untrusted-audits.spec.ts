import { manifestOf, readPack } from '@agentclash/challengepack';
import type { AuditedCase, MutantsTask, PackView, PlanTask } from '@agentclash/pack-audit';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { afterAll, describe, expect, test } from '@jest/globals';
import { UntrustedThreads } from './untrusted-threads.js';

const BLOCKED_MS_MAX = 500;
/** As long as the longest text that has mutants. */
const LENGTH = 131_072;
const made: UntrustedThreads[] = [];
const { signal } = new AbortController();

function threads(limits: ConstructorParameters<typeof UntrustedThreads>[0] = {}): UntrustedThreads {
  const opened = UntrustedThreads.forAudits(limits);
  made.push(opened);
  return opened;
}

/** Of most tests, as a thread takes long to start. */
const common = threads({ timeoutMs: 500 });
afterAll(async () => {
  for (const each of made) await each.stop();
});

interface Parts {
  payload?: Record<string, string>;
  solution?: object;
}

/** A pack of one case. */
function packOf({ payload = { n: '1' }, solution = { files: [], run: 'true' } }: Parts): {
  pack: PackView;
  each: AuditedCase;
} {
  const document = {
    pack: { slug: 'hostile', name: 'Hostile', family: 'tests' },
    version: {
      number: 1,
      execution_mode: 'native',
      tool_policy: { allowed_tool_kinds: ['file', 'shell'], allow_shell: true },
      evaluation_spec: {
        ...{ name: 'hostile', version_number: 1, judge_mode: 'deterministic' },
        validators: [
          { key: 'right', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' },
        ],
        scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [
      {
        ...{ key: 'task', title: 'Task', category: 'tests', difficulty: 'easy', instructions: 'Reply.' },
        solution,
      },
    ],
    input_sets: [
      { key: 'default', name: 'Default', cases: [{ challenge_key: 'task', case_key: 'one', payload }] },
    ],
  };
  const { pack } = readPack(JSON.stringify(document));
  const [set] = pack?.input_sets ?? [];
  const [each] = set?.cases ?? [];
  if (!pack || !each) throw new Error('the pack is not valid');
  return {
    pack: { manifest: manifestOf(pack), artifacts: new Map() },
    each: { inputSetKey: 'default', case: each },
  };
}

const filled = (text: string, length = LENGTH - 16) => text.repeat(Math.floor(length / text.length));
const file = (path: string, content: string) => ({ files: [{ path, content }] });

/** Programs and texts that take the longest to read. */
const SOLUTIONS: Readonly<Record<string, object>> = {
  'a sum of 65,000 terms': file('a.js', `x=${filled('1+')}1`),
  'a list of 65,000 numbers in one line': file('a.py', `x = [${filled('1,')}]`),
  'brackets as deep as the text is long': file('a.json', filled('[', LENGTH / 2) + filled(']', LENGTH / 2)),
  'a script of thousands of here documents': { run: filled('cat <<A\n', 65_000) },
  '1,000 files': {
    files: Array.from({ length: 1_000 }, (_, at) => ({ path: `${at}.py`, content: 'x = 1 + 2 < 3\n' })),
  },
};

const plan = (each: AuditedCase, role: PlanTask['role']): PlanTask => ({
  ...{ case: each, role, bytes: new Map() },
});
const mutants = (each: AuditedCase): MutantsTask => ({
  ...{ case: each, bytes: new Map(), seed: 'seed', most: 300 },
});

describe('audits are planned in threads', () => {
  test('the plan of an attempt and the mutants of a solution come from a thread', async () => {
    const planning = common.planningOf('w', signal);
    const { pack, each } = packOf({ solution: file('a.py', 'x = 1 < 2\n') });
    expect(await planning.plan(pack, plan(each, { kind: 'oracle' }))).toMatchObject({
      planned: { plan: { agent: { kind: 'program' } }, files: [{}, {}] },
    });
    const reply = await planning.mutants(pack, mutants(each));
    expect(reply).toMatchObject({ mutants: expect.arrayContaining([expect.objectContaining({ line: 1 })]) });
  });

  test.each(Object.keys(SOLUTIONS))('a solution with %s delays nothing', async (name) => {
    const planning = common.planningOf('w', signal);
    const { pack, each } = packOf({ solution: SOLUTIONS[name] ?? {} });
    const replies: unknown[] = [];
    const blockedMs = await longestBlockMs(async () => {
      replies.push(await planning.mutants(pack, mutants(each)));
      replies.push(await planning.plan(pack, plan(each, { kind: 'oracle' })));
    });
    expect(replies).not.toContain(undefined);
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  });

  test('a case of 20,000 members delays nothing when cheats are planned on it', async () => {
    const planning = common.planningOf('w', signal);
    const payload = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 'x']));
    const { pack, each } = packOf({ payload });
    const blockedMs = await longestBlockMs(async () => {
      for (const key of ['task_words', 'outputs_are_present']) {
        await planning.plan(pack, plan(each, { kind: 'cheat', key }));
      }
    });
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  });

  test('a program that takes too long to read has no mutants, and keeps no other workspace waiting', async () => {
    const opened = threads({ timeoutMs: 200 });
    const hostile = packOf({ solution: SOLUTIONS['a sum of 65,000 terms'] ?? {} });
    const other = packOf({});
    const ended: string[] = [];
    const attack = Array.from({ length: 3 }, async () => {
      const reply = await opened.planningOf('hostile', signal).mutants(hostile.pack, mutants(hostile.each));
      ended.push('hostile');
      return reply;
    });
    await opened.planningOf('victim', signal).plan(other.pack, plan(other.each, { kind: 'idle' }));
    ended.push('victim');
    await Promise.all(attack);
    expect(ended.indexOf('victim')).toBeLessThan(3);
  });

  test('ten thousand cases are drawn in a thread', async () => {
    const cases = Array.from({ length: 10_000 }, (_, at) => ({
      inputSetKey: 'default',
      case: { challenge_key: 'task', case_key: `c${at}` },
    }));
    const drawn = await common.drawsOf('w', signal)(cases, { most: 20, seed: 's' });
    expect(drawn).toHaveLength(20);
  });
});
