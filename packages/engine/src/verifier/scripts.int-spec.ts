import { type GraderPlan, type PlannedAgent, plannedFilesystem } from '@agentclash/attempt-plan';
import type { ScriptRuntime } from '@agentclash/challengepack';
import { isRecord } from '@agentclash/domain';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Attempt, AttemptHarness } from '../testing/attempt-harness.js';
import { conversationPlan, person, scripted, scriptedPhase } from '../testing/conversations.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const RUNTIMES: ScriptRuntime[] = ['python', 'node'];
const shell = (script: string): PlannedAgent => ({
  kind: 'program',
  config: { command: ['sh', '-c', script] },
});
const plan = attemptPlan(shell('echo made > made; echo output'), { script_runtimes: RUNTIMES });

const script = (runtime: ScriptRuntime, source: string, timeout_ms = 10_000) => ({
  validator_key: 'check',
  path: `/grader/graders/check.${runtime === 'python' ? 'py' : 'mjs'}`,
  artifact: harness.store.add(source),
  runtime,
  timeout_ms,
});

const ran = ({ events }: Attempt) => events.payloads('grader.verification.script_executed');

async function graded(grader: Partial<GraderPlan>, of = plan): Promise<Attempt> {
  const attempt = await harness.run(of);
  expect(await attempt.verify(graderPlan(of, grader))).toEqual({ status: 'verified' });
  return attempt;
}

/** Replies with the whole evidence as its words. */
const ECHO: Record<ScriptRuntime, string> = {
  python: `import json, sys
print(json.dumps({"score": 1, "passed": True, "reason": sys.stdin.read()}))`,
  node: `let text = '';
for await (const part of process.stdin) text += part;
console.log(JSON.stringify({ score: 1, passed: true, reason: text }));`,
};

function evidenceIn(attempt: Attempt): Record<string, unknown> {
  const reply: unknown = JSON.parse(ran(attempt)[0]?.stdout ?? '');
  const evidence: unknown = isRecord(reply) ? JSON.parse(String(reply.reason)) : undefined;
  if (!isRecord(evidence)) throw new Error('the script has no evidence');
  return evidence;
}

describe('a script', () => {
  test.each(RUNTIMES)('a script in %s reads the evidence of the attempt', async (runtime) => {
    const isThere = runtime === 'python' || harness.sandboxes.interpreters().includes(runtime);
    const attempt = await graded({
      checks: [{ key: 'made', type: 'file_capture', path: 'made', recursive: true, max_size_bytes: 100 }],
      scripts: [script(runtime, ECHO[runtime])],
      expectations: [
        { key: 'total', value: { sum: 5 } },
        { key: 'gold', artifact: harness.store.add('from the store') },
      ],
      case_files: [{ key: 'ledger', path: 'in/ledger.csv', artifact: harness.store.add('a,b') }],
    });
    const whole = {
      schema: 'agentclash.script-evidence/1',
      validator_key: 'check',
      outcome: { outcome: 'completed', limit_kind: null, finished_by: 'program', error_code: null },
      final_output: 'output\n',
      payload: { a: 2, b: 3 },
      inputs: {},
      expectations: { total: { sum: 5 }, gold: 'from the store' },
      artifacts: { ledger: { path: 'in/ledger.csv', bytes: 3, text: 'a,b' } },
      files: { made: expect.objectContaining({ path: 'made', exists: true, content: 'made\n' }) },
      transcript: [],
      tool_calls: [],
      metrics: expect.objectContaining({ tool_call_count: 0, latency_ms: expect.any(Number) }),
    };
    // A machine without Node below /usr starts no script of Node.
    expect(ran(attempt)).toMatchObject([
      isThere
        ? { validator_key: 'check', runtime, exit_code: 0, timed_out: false }
        : { exit_code: 127, stdout: '' },
    ]);
    expect(isThere ? evidenceIn(attempt) : undefined).toEqual(isThere ? whole : undefined);
  });

  test('a script finds the workspace, its helpers and no module of the agent', async () => {
    const source = `import os, json, helper
print(json.dumps({"score": 1, "passed": True, "reason": open("made").read() + helper.NAME + os.getcwd()}))`;
    const attempt = await graded(
      {
        scripts: [script('python', source)],
        grader_files: [{ path: '/grader/graders/helper.py', artifact: harness.store.add('NAME = "own "') }],
      },
      {
        ...plan,
        agent: shell('printf "of the agent " > made; echo "raise SystemExit(3)" | tee json.py > helper.py'),
      },
    );
    expect(ran(attempt)[0]?.stdout).toContain('"of the agent own /workspace"');
  });

  test('a script is not changed by packages that the agent left in its home directory', async () => {
    const home = plannedFilesystem({ working_directory: '/home/agent' });
    const plant =
      'd=$(python3 -m site --user-site); mkdir -p $d; echo "print(7)" > $d/usercustomize.py; python3 -c ""';
    const attempt = await graded(
      { scripts: [script('python', 'print("{}")')], filesystem: home },
      { ...plan, agent: shell(plant), filesystem: home },
    );
    expect(attempt.events.payloads('system.output.finalized')[0]?.final_output).toBe('7\n');
    expect(ran(attempt)[0]?.stdout).toBe('{}\n');
  });

  test('a script of an attempt without a workspace runs in a sandbox of its own', async () => {
    const config = { steps: [{ answer: 'forty-two' }] };
    const prompt = attemptPlan(
      { kind: 'scripted', config },
      { mode: 'prompt_eval', script_runtimes: RUNTIMES },
    );
    const attempt = await graded({ scripts: [script('python', ECHO.python)] }, prompt);
    expect(evidenceIn(attempt)).toMatchObject({ final_output: 'forty-two', files: {} });
    expect(attempt.events.types().filter((type) => type === 'sandbox.created')).toHaveLength(1);
    expect(attempt.events.types().filter((type) => type === 'sandbox.destroyed')).toHaveLength(1);
  });

  test('a script reads the tool calls of the agent', async () => {
    const steps = [{ call: { name: 'list_files', arguments: { path: '.' } } }, { answer: 'done' }];
    const native = attemptPlan({ kind: 'scripted', config: { steps } }, { script_runtimes: RUNTIMES });
    const attempt = await graded({ scripts: [script('python', ECHO.python)] }, native);
    expect(evidenceIn(attempt)).toMatchObject({
      tool_calls: [{ tool_name: 'list_files', arguments: { path: '.' }, failed: expect.any(Boolean) }],
    });
  });

  test.each([
    ['crashes', 'import sys; sys.stderr.write("lost"); sys.exit(3)', { exit_code: 3, stderr_tail: 'lost' }],
    ['prints nothing', 'pass', { exit_code: 0, stdout: '', stdout_bytes: 0 }],
    ['is killed', 'import os; os.kill(os.getpid(), 9)', { exit_code: null }],
    ['reads no input', 'print("{}")', { exit_code: 0, stdout: '{}\n' }],
    ['floods its output', 'while True: print("x" * 1_000)', { exit_code: null, timed_out: false }],
    ['leaves a flood to a child', 'import subprocess; subprocess.run(["yes"])', { timed_out: false }],
    ['floods its errors', 'import sys; sys.stderr.write("e" * 9_000_000); print(1)', { stdout: '1\n' }],
    ['does not end', 'while True: pass', { timed_out: true }],
    ['takes all memory', 'x = bytearray(1 << 40)', { exit_code: 1 }],
  ])('a script that %s is recorded with its end', async (what, source, end) => {
    const attempt = await graded({ scripts: [script('python', source, 1_500)] });
    const [found] = ran(attempt);
    expect(found).toMatchObject(end);
    const isFlood = /flood/.test(what) && !/errors/.test(what);
    expect((found?.stdout_bytes ?? 0) > 65_536).toBe(isFlood);
    expect(Buffer.byteLength(found?.stdout ?? '')).toBeLessThanOrEqual(isFlood ? 1_024 : 65_536);
    expect(Buffer.byteLength(found?.stderr_tail ?? '')).toBeLessThanOrEqual(16_384);
  });

  test('a script has no network, and cannot reach the sandbox of another', async () => {
    const source = `import json, os
seen = os.path.exists("/grader/left") or len(open("/proc/net/dev").readlines()) != 3
open("/grader/left", "w").write("x")
print(json.dumps({"score": 0, "passed": seen}))`;
    const scripts = ['a', 'b'].map((validator_key) => ({ ...script('python', source), validator_key }));
    const attempt = await graded({ scripts });
    expect(ran(attempt).map(({ stdout }) => stdout)).toEqual(
      Array(2).fill('{"score": 0, "passed": false}\n'),
    );
  });

  test('a script reads a whole conversation, also the part before a person was waited for', async () => {
    const phases = [scriptedPhase('open', 'Hi.'), person(), scriptedPhase('close', 'Thanks.')];
    const talk = conversationPlan(
      scripted({ message: 'one' }, { message: 'two' }, { answer: 'three' }),
      phases,
    );
    talk.script_runtimes = RUNTIMES;
    const attempt = await harness.run(talk, {}, [{ message: 'I am a person.' }]);
    expect(await attempt.verify(graderPlan(talk, { scripts: [script('python', ECHO.python)] }))).toEqual({
      status: 'verified',
    });
    const { transcript } = evidenceIn(attempt);
    expect(Array.isArray(transcript) && transcript.map(({ role, message }) => `${role}: ${message}`)).toEqual(
      [
        'user: Hi.',
        'assistant: one',
        'user: I am a person.',
        'assistant: two',
        'user: Thanks.',
        'assistant: three',
      ],
    );
  });

  test('a secret that a script prints is redacted in what is recorded', async () => {
    harness.secrets.set('TOKEN', 'hunter2-hunter2');
    const { history, emitted } = harness.record(plan);
    await history.secrets.open(['TOKEN'], new AbortController().signal);
    history.events.record('system.output.finalized', {
      final_output: 'it is hunter2-hunter2',
      finished_by: 'submit',
      bytes: 1,
      sha256: '',
    });
    expect(JSON.stringify([history.evidence?.events, emitted])).not.toContain('hunter2');
    expect(history.evidence?.events).toHaveLength(1);
  });
});
