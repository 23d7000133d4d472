import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders } from './testing/command.js';

const examples = path.resolve(import.meta.dirname, '../../../examples');
const pack = path.join(examples, 'challenge-packs/capital-cities.yaml');
const agents = path.join(examples, 'deployments/capital-cities.yaml');
const folder = emptyFolder();
afterAll(removeFolders);

const WRONG_POLICY = ['gate', 'one.clash', '--baseline', 'before.clash', '--policy', 'wrong.yaml'];

const here = (...words: string[]) => command(words, { cwd: folder });
const file = (name: string) => path.join(folder, name);

function runOf(name: string): string {
  return JSON.parse(readFileSync(file(name), 'utf8').split('\n', 1)[0] ?? '').run.id;
}

function policy(warn: number, fail: number): string {
  const limit = `{max_regression: {warn: ${warn}, fail: ${fail}}, mode: point}`;
  return `name: release\ncomparisons: {knowledge: ${limit}}\n`;
}

describe('Files of results in the place of runs', () => {
  beforeAll(async () => {
    for (const name of ['before.clash', 'after.clash'])
      expect(await here('run', pack, '--agents', agents, '-o', name)).toMatchObject({ code: 0 });
    expect(
      await here('run', pack, '--agents', agents, '--deployment', 'concise', '-o', 'one.clash'),
    ).toMatchObject({ code: 0 });
    writeFileSync(file('cut.clash'), readFileSync(file('before.clash')));
    const text = readFileSync(file('before.clash'), 'utf8');
    truncateSync(file('cut.clash'), Buffer.byteLength(text.slice(0, text.indexOf('{"record":"end"'))));
    writeFileSync(file('strict.yaml'), policy(0.02, 0.05));
    writeFileSync(file('lenient.yaml'), policy(0.05, 1));
    writeFileSync(file('audited.yaml'), 'name: audited\npack_audit: {required: true}\n');
    writeFileSync(file('wrong.yaml'), 'name: release\nmin_case: 2\n');
  });

  test('two files are compared case by case, as two runs of a server are', async () => {
    const words = ['compare', 'before.clash', 'after.clash', '--json'];
    const lanes = ['--baseline-agent', 'concise', '--candidate-agent', 'chatty'];
    const { code, stdout } = await here(...words, ...lanes);
    expect(code).toBe(0);
    const { comparisons, baseline, candidate } = JSON.parse(stdout);
    expect([baseline.run_id, candidate.run_id]).toEqual([runOf('before.clash'), runOf('after.clash')]);
    expect(baseline.agents).toMatchObject([{ name: 'concise' }, { name: 'chatty' }]);
    expect(comparisons).toMatchObject([
      {
        ...{ comparable: true, cases: 5, tests: 3 },
        overall: { baseline: 1, candidate: 0.3, verdict: 'inconclusive', method: expect.any(String) },
        dimensions: { knowledge: { mean_difference: -0.6 }, obedience: { mean_difference: -1 } },
      },
    ]);
    expect(comparisons[0].overall.pairs).toContainEqual({ case_key: 'peru', baseline: 1, candidate: 0.75 });
  });

  test('an export does not replace a file of results, such as the one that it reads', async () => {
    const before = readFileSync(file('before.clash'), 'utf8');
    const words = ['run', 'export', 'before.clash', '--format', 'csv', '-o', 'before.clash'];
    expect(await here(...words)).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('which an export would replace'),
    });
    expect(readFileSync(file('before.clash'), 'utf8')).toBe(before);
  });

  test('the scorecard of a file names the commands for one attempt with the file', async () => {
    const { stderr } = await here('eval', 'scorecard', 'before.clash');
    expect(stderr).toContain('agentclash replay <id> --run before.clash');
  });

  test('lanes of the same name are compared with one another, and --agent names several', async () => {
    const one = await here('compare', 'one.clash', 'after.clash', '--json');
    expect(one).toMatchObject({ code: 0 });
    expect(JSON.parse(one.stdout).comparisons).toHaveLength(1);
    const both = await here('compare', 'before.clash', 'after.clash', '--agent', 'concise', 'chatty');
    expect(both).toMatchObject({ code: 0, stdout: expect.stringMatching(/concise.*against[\s\S]*chatty/) });
    const unknown = await here('compare', 'before.clash', 'after.clash', '--agent', 'other');
    expect(unknown).toMatchObject({ code: 66, stderr: expect.stringContaining('concise, chatty') });
  });

  test.each([
    ['pass', 0, 'concise', 'strict.yaml'],
    ['fail', 1, 'chatty', 'strict.yaml'],
    ['warn', 2, 'chatty', 'lenient.yaml'],
    ['insufficient_evidence', 3, 'chatty', 'audited.yaml'],
  ])('a gate on files decides %s with the exit code %i', async (verdict, code, agent, by) => {
    const lanes = ['--agent', agent, '--baseline-agent', 'concise'];
    const words = ['gate', 'after.clash', '--baseline', 'before.clash', '--policy', by, '--json'];
    const decided = await here(...words, ...lanes, '--junit', 'gate.xml', '--markdown', 'gate.md');
    expect(decided).toMatchObject({ code });
    expect(JSON.parse(decided.stdout)).toMatchObject({ verdict, exit_code: code, comparison: {} });
    expect(readFileSync(file('gate.md'), 'utf8')).toContain(`Gate: ${verdict.replaceAll('_', ' ')}`);
    expect(readFileSync(file('gate.xml'), 'utf8')).toContain('<testsuite ');
  });

  test('without a policy the built-in one decides', async () => {
    const decided = await here('gate', 'one.clash', '--baseline', 'before.clash');
    expect(decided).toMatchObject({ code: 3, stdout: expect.stringContaining('by policy default') });
  });

  test.each([
    ['pass', 0, ['overall=0.3', 'knowledge=0.4'], 'after.clash'],
    ['fail', 1, ['overall=0.31', 'knowledge=0.4'], 'after.clash'],
    ['insufficient_evidence', 3, ['overall=0.1', 'speed=0.1'], 'cut.clash'],
  ])('a gate by minimums decides %s with the exit code %i', async (verdict, code, minimums, run) => {
    const options = minimums.flatMap((each) => ['--min', each]);
    const words = ['gate', run, ...options, '--agent', 'chatty', '--json'];
    const decided = await here(...words, '--junit', 'min.xml', '--markdown', 'min.md');
    expect(decided).toMatchObject({ code });
    expect(JSON.parse(decided.stdout)).toMatchObject({ verdict, exit_code: code, agent: 'chatty' });
    expect(readFileSync(file('min.md'), 'utf8')).toContain(minimums[0]?.split('=')[0]);
    const junit = readFileSync(file('min.xml'), 'utf8');
    expect([junit.includes('<failure'), junit.includes('<error')]).toEqual([code === 1, code === 3]);
  });

  test('a run that was interrupted carries no decision, and how to continue it is reported', async () => {
    const continued = expect.stringContaining('--resume cut.clash');
    const words = ['cut.clash', '--agent', 'concise'];
    const compared = await here('compare', 'before.clash', ...words);
    expect(compared).toMatchObject({ code: 3, stdout: expect.stringContaining('no scorecard yet') });
    expect(compared.stderr).toEqual(continued);
    const gate = await here('gate', ...words, '--min', 'overall=0');
    expect(gate).toMatchObject({ code: 3, stderr: continued });
  });

  test.each([['eval scorecard'], ['run report'], ['run ranking']])(
    '%s of an interrupted run reports that it was interrupted, and how to continue it',
    async (of) => {
      const shown = await here(...of.split(' '), 'cut.clash');
      expect(shown).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('was interrupted after 10 of 10'),
      });
      expect(shown.stderr).toContain('agentclash run … --resume cut.clash');
      expect((await here(...of.split(' '), 'before.clash')).stderr).not.toContain('interrupted');
    },
  );

  test.each([
    ['a file against a run of a server', ['compare', 'before.clash', 'last'], 64, 'Both sides are files'],
    ['a file that is not there', ['compare', 'before.clash', 'none.clash'], 66, 'none.clash'],
    [
      'a run of agents that are not there',
      ['run', pack, '--agents', 'no.yaml'],
      66,
      'init no.yaml writes one',
    ],
    ['a gate without a measure', ['gate', 'one.clash'], 64, '--min overall=0.9'],
    ['minimums with a policy', ['gate', 'one.clash', '--min', 'overall=1', '--policy', 'x'], 64, 'twice'],
    ['minimums of several lanes', ['gate', 'after.clash', '--min', 'overall=1'], 64, 'name one with --agent'],
    [
      'an unknown measure',
      ['gate', 'one.clash', '--min', 'foo=0.9'],
      64,
      'overall\n  pass_rate\n  knowledge\n  obedience\n',
    ],
    ['a minimum above 1', ['gate', 'one.clash', '--min', 'overall=90'], 64, 'from 0 to 1'],
    ['a policy with an unknown member', WRONG_POLICY, 64, 'min_case'],
  ])('%s is refused with its reason', async (_what, words, code, reason) => {
    const refused = await here(...words);
    expect(refused.code).toBe(code);
    expect(refused.stdout + refused.stderr).toContain(reason);
  });

  test('a file of more than 100,000 attempts is not pushed, and a request is not sent', async () => {
    const records = readFileSync(file('before.clash'), 'utf8').trimEnd().split('\n');
    const end = JSON.parse(records.at(-1) ?? '');
    end.run.progress.total = 100_001;
    writeFileSync(file('large.clash'), `${[...records.slice(0, -1), JSON.stringify(end)].join('\n')}\n`);
    const { code, stderr } = await here('push', 'large.clash');
    expect(code).toBe(64);
    expect(stderr).toContain('100,001 attempts, and a server stores at most 100,000 of one run');
    expect(stderr).toContain('--input-set, --deployment or --case');
  });

  test('a text is found in what agents of a file wrote, by lane and case, and a limit cuts the list', async () => {
    const search = async (...words: string[]) => {
      const { code, stdout } = await here('run', 'search', 'before.clash', 'LOVELY', '--json', ...words);
      expect(code).toBe(0);
      return JSON.parse(stdout).items as { agent_name: string; case_key: string; match: string }[];
    };
    const all = await search();
    expect(new Set(all.map(({ agent_name, match }) => `${agent_name} ${match}`))).toEqual(
      new Set(['chatty lovely']),
    );
    expect(new Set(all.map(({ case_key }) => case_key))).toEqual(new Set(['iceland', 'kenya', 'nepal']));
    expect(await search('--limit', '2')).toEqual(all.slice(0, 2));
    const ofKenya = all.filter(({ case_key }) => case_key === 'kenya');
    expect(ofKenya.length).toBeGreaterThan(0);
    expect(await search('--case', 'kenya', '--agent', 'chatty')).toEqual(ofKenya);
    expect(await search('--agent', 'concise')).toEqual([]);
    const cut = await here('run', 'search', 'before.clash', 'lovely', '--limit', '2');
    expect(cut.stderr).toContain('There are more matches: raise --limit');
    const unknown = await here('run', 'search', 'before.clash', 'lovely', '--agent', 'other');
    expect(unknown).toMatchObject({ code: 66, stderr: expect.stringMatching(/concise\n\s*chatty/) });
    const short = await here('run', 'search', 'before.clash', 'x');
    expect(short).toMatchObject({ code: 64, stderr: expect.stringContaining('2 to 200 characters') });
  });

  test('an attempt of a file is replayed step by step', async () => {
    const [item] = JSON.parse((await here('run', 'failures', 'before.clash', '--json')).stdout).items;
    const replayed = await here('replay', item.attempt_id, '--run', 'before.clash');
    expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('chatty') });
    expect(replayed.stderr).toContain(`agentclash eval scorecard before.clash --attempt ${item.attempt_id}`);
    const refused = await here('replay', item.attempt_id, '--run', 'last');
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('its name ends with .clash') });
  });
});
