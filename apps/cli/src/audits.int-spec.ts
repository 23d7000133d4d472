import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type PackAuditDetails, routes } from '@agentclash/api';
import { EXIT_CODES } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { command, emptyFolder, startCommand } from './testing/command.js';
import { useFakeApi } from './testing/fake-api.js';
import { COMPLETED, QUEUED, REPORT } from './testing/fixtures/audits.js';
import { offerPacks } from './testing/fixtures/packs.js';
import { Terminal } from './testing/terminal.js';

/** Audits of files run in real sandboxes, on a machine with other work. */
jest.setTimeout(120_000);

const EXAMPLES = path.resolve(import.meta.dirname, '../../../examples/challenge-packs');
const BAD = path.resolve(import.meta.dirname, '../../../packages/pack-audit/src/testing/bad-packs');

const { api, env } = useFakeApi();
beforeEach(() => {
  api.reset();
  offerPacks(api);
});

const audit = (words: string[], cwd = emptyFolder()) =>
  command(['challenge-pack', 'audit', ...words], { env, cwd });
const endingAs = (changes: Partial<PackAuditDetails>) =>
  api.on(routes.audits.get, () => ({ ...COMPLETED, ...changes }));
const requests = () => api.seen.map(({ method, path: target }) => `${method} ${target.split('/').at(-1)}`);

describe('an audit of a published version', () => {
  test.each([
    ['passed', EXIT_CODES.ok],
    ['failed', EXIT_CODES.failed],
    ['incomplete', EXIT_CODES.insufficient_evidence],
  ] as const)('one that %s ends with %i, with its report as text and as JSON', async (result, code) => {
    endingAs({ report: { ...REPORT, result } });
    const shown = await audit(['sums']);
    expect(shown.code).toBe(code);
    expect(shown.stdout).toContain(`audit ${result} sums version 2: 2 cases, 1.5 s`);
    expect(shown.stdout).toContain('error cheat_passes report_left on easy/small The cheat passes.');
    const json = await audit(['sums@2', '--json']);
    expect(json.code).toBe(code);
    expect(JSON.parse(json.stdout)).toEqual({ ...REPORT, result });
  });

  test('the options are sent, and the JUnit file is written', async () => {
    api.on(routes.audits.create, () => QUEUED);
    const file = path.join(emptyFolder(), 'audit.xml');
    await audit(['sums@2', '--quick', '--junit', file]);
    const created = api.seen.find(({ method }) => method === 'POST');
    expect(JSON.parse(created?.body ?? '')).toEqual({ quick: true });
    expect(readFileSync(file, 'utf8')).toContain('name="cheat_passes report_left on easy/small"');
  });

  test('a JUnit path that cannot be written is refused before anything is requested', async () => {
    const { code, stdout, stderr } = await audit(['sums@2', '--junit', '/nowhere/audit.xml']);
    expect({ code, stdout, seen: api.seen.length }).toEqual({ code: EXIT_CODES.usage, stdout: '', seen: 0 });
    expect(stderr).toContain('/nowhere/audit.xml cannot be written: ENOENT');
    expect((await audit(['sums@2', '--junit', emptyFolder()])).stderr).toContain('It is a folder');
  });

  test('an audit that failed or was cancelled ends with the reason, without a report', async () => {
    const error = { code: 'executor_lost', message: 'The executor stopped 3 times.' };
    endingAs({ status: 'failed', certificate: null, report: null, error });
    const failed = await audit(['sums@2']);
    expect(failed).toMatchObject({ code: EXIT_CODES.try_again, stdout: '' });
    expect(failed.stderr).toContain('The audit of sums@2 did not complete\nThe executor stopped 3 times.');
    endingAs({ status: 'cancelled', certificate: null, report: null });
    expect((await audit(['sums@2'])).stderr).toContain('The audit of sums@2 was cancelled');
  });

  test('a server that is unreachable for a moment ends no audit', async () => {
    let isBack = false;
    api.on(routes.audits.get, () => {
      if (isBack) return COMPLETED;
      isBack = true;
      api.hangUp();
      return COMPLETED;
    });
    expect((await audit(['sums@2'])).code).toBe(EXIT_CODES.failed);
    expect(requests().filter((each) => each === `GET ${QUEUED.id}`)).toHaveLength(2);
  });

  test('a log has a line for each check when it begins', async () => {
    const progress = (check: string, done: number) => ({ check, done, total: 60 });
    const states = [null, progress('cheats', 3), progress('cheats', 30), progress('strength', 1)];
    api.on(routes.audits.get, () => {
      const next = states.shift();
      const running = { ...COMPLETED, status: 'running' as const, report: null, progress: next ?? null };
      return next === undefined ? COMPLETED : running;
    });
    const { stderr } = await audit(['sums@2']);
    expect(stderr.split('\n').slice(2, -1)).toEqual([
      'the audit waits for an executor',
      'the audit starts',
      'cheats            60 trials',
      'mutants           60 trials',
    ]);
  });

  test('the one under way is followed where the options are the same, and else named with the next steps', async () => {
    expect((await audit(['sums@2'])).stderr).toContain(
      'The audit of sums@2 by ada is followed: queued since',
    );
    const other = await audit(['sums@2', '--quick']);
    expect(other).toMatchObject({ code: EXIT_CODES.usage, stdout: '' });
    expect(other.stderr).toContain('Another audit of sums@2 is under way, a full one: queued since');
    expect(other.stderr).toContain('Follow it: agentclash challenge-pack audit sums@2\n');
    expect(other.stderr).toContain('Cancel it: agentclash challenge-pack audit sums@2 --cancel\n');
    const { stderr } = await audit(['sums@2', '--quick', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'conflict', audit_id: QUEUED.id } });
  });

  test('--no-wait starts one and ends', async () => {
    const { code, stdout, stderr } = await audit(['sums@2', '--no-wait', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(QUEUED);
    expect(stderr).toContain('Follow it: agentclash challenge-pack audit sums@2');
  });

  test('--last shows the newest report and starts nothing', async () => {
    const { code, stdout } = await audit(['sums@2', '--last', '--json']);
    expect(code).toBe(EXIT_CODES.failed);
    expect(JSON.parse(stdout)).toEqual(REPORT);
    expect(requests()).toEqual(['GET sums', 'GET 019a0000-0000-7000-8000-000000000091']);
    expect(await audit(['sums@1', '--last'])).toMatchObject({ code: EXIT_CODES.not_found, stdout: '' });
  });

  test('--cancel cancels the one under way, and without one ends with what there is', async () => {
    const { code, stdout } = await audit(['sums@2', '--cancel', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: QUEUED.id, status: 'cancelled' });
    const { report: _, ...ended } = COMPLETED;
    api.on(routes.audits.list, () => ({ items: [ended], next_cursor: null }));
    const none = await audit(['sums@2', '--cancel']);
    expect(none).toMatchObject({ code: EXIT_CODES.not_found, stdout: '' });
    expect(none.stderr).toContain('The newest one is completed (audit failed: 75 % of mutants noticed');
  });

  test.each([
    [['sums@2', '--cancel', '--quick']],
    [['sums@2', '--cancel', '--last']],
    [['sums@2', '--no-wait', '--junit', 'a.xml']],
  ])('the options %j contradict each other', async (words) => {
    expect(await audit(words)).toMatchObject({ code: EXIT_CODES.usage, stdout: '' });
    expect(api.seen).toHaveLength(0);
  });

  test('a seed is refused for a published version before anything is requested', async () => {
    for (const words of [
      ['--seed', 'a'],
      ['--last', '--seed', 'a'],
    ]) {
      const { code, stderr } = await audit(['sums@2', ...words]);
      expect(code).toBe(EXIT_CODES.usage);
      expect(stderr).toContain('--seed is for files: the digest of a published version is its seed');
    }
    expect(api.seen).toHaveLength(0);
  });

  test('an unknown pack or version is named with the known ones', async () => {
    const pack = await audit(['sumz']);
    expect(pack.code).toBe(EXIT_CODES.not_found);
    expect(pack.stderr).toContain('sums');
    const version = await audit(['sums@7']);
    expect(version.code).toBe(EXIT_CODES.not_found);
    expect(version.stderr).toContain('The pack sums has no version 7');
  });

  test('a refusal of the server keeps its code', async () => {
    const detail = 'This token may only read.';
    api.fail(routes.audits.create, { status: 403, code: 'forbidden', detail });
    const { code, stderr } = await audit(['sums@2', '--json']);
    expect(code).toBe(EXIT_CODES.unauthorized);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'forbidden' },
    });
  });
});

describe('Ctrl-C while an audit is followed', () => {
  const running = { status: 'running' as const, report: null, certificate: null };

  test('without a terminal it leaves the audit running and names the commands', async () => {
    endingAs({ ...running, progress: { check: 'cheats', done: 3, total: 60 } });
    const following = startCommand(['challenge-pack', 'audit', 'sums@2'], { env });
    await waitFor(() => following.stderr().includes('cheats'));
    following.child.kill('SIGINT');
    const { code, stdout, stderr } = await following.ended;
    expect({ code, stdout }).toEqual({ code: EXIT_CODES.try_again, stdout: '' });
    expect(stderr).toContain(
      'Detached; the audit continues. Follow it: agentclash challenge-pack audit sums@2\n',
    );
    expect(stderr).toContain('Its report, when it has ended: agentclash challenge-pack audit sums@2 --last');
    expect(requests()).not.toContain(`DELETE ${QUEUED.id}`);
  });

  test('on a terminal a second one cancels it when that is confirmed', async () => {
    endingAs({ ...running, progress: { check: 'cheats', done: 3, total: 60 } });
    const terminal = Terminal.start(['challenge-pack', 'audit', 'sums@2'], { env, columns: 100 });
    await waitFor(() => terminal.raw.includes('3 of 60 trials'));
    terminal.type('\u0003');
    await waitFor(() => terminal.raw.includes('Press Ctrl-C again to cancel it.'));
    terminal.type('\u0003');
    await waitFor(() => terminal.raw.includes('Cancel the audit?'));
    terminal.type('y\r');
    expect(await terminal.ended).toBe(EXIT_CODES.failed);
    expect(requests()).toContain(`DELETE ${QUEUED.id}`);
  });
});

describe('an audit of a file', () => {
  test('it ends by its result, and publish --require-audit publishes nothing that does not pass', async () => {
    const file = path.join(BAD, 'no-work-passes.yaml');
    const { code, stdout } = await audit([file, '--quick', '--json']);
    expect(code).toBe(EXIT_CODES.failed);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ schema: REPORT.schema, result: 'failed', options: { quick: true } });
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'idle_passes' }));
    const refused = await command(['challenge-pack', 'publish', file, '--require-audit'], { env });
    expect(refused.code).toBe(EXIT_CODES.failed);
    expect(refused.stdout).toContain('Nothing was published.');
    expect(api.seen).toHaveLength(0);
  });

  test('publish --require-audit publishes a pack that passes, and reads standard input not at all', async () => {
    const file = path.join(EXAMPLES, 'capital-cities.yaml');
    const published = await command(['challenge-pack', 'publish', file, '--require-audit', '--json'], {
      env,
    });
    expect(published.stderr).toContain('audit passed: ');
    expect(JSON.parse(published.stdout)).toMatchObject({ created: true, version_number: 2 });
    expect(published.code).toBe(0);
    const words = ['challenge-pack', 'publish', '-', '--require-audit'];
    const piped = await command(words, { env, stdin: readFileSync(file) });
    expect(piped).toMatchObject({ code: EXIT_CODES.usage, stdout: '' });
    expect(piped.stderr).toContain('Write the pack to a file');
  });

  test('a file with problems is refused with their places, and audited by nothing', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'broken.yaml'), 'pack: {slug: A B}\n');
    for (const words of [
      ['audit', 'broken.yaml'],
      ['publish', 'broken.yaml', '--require-audit'],
    ]) {
      const { code, stdout } = await command(['challenge-pack', ...words, '--json'], { env, cwd });
      expect(code).toBe(EXIT_CODES.usage);
      expect(JSON.parse(stdout)).toMatchObject({ valid: false });
    }
    expect((await audit(['none.yaml'], cwd)).code).toBe(EXIT_CODES.not_found);
    expect(api.seen).toHaveLength(0);
  });

  test.each(['--last', '--cancel', '--no-wait'])('%s is refused for a file', async (option) => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'sums'), 'pack: {slug: sums}\n');
    const { code, stderr } = await audit(['sums', option], cwd);
    expect(code).toBe(EXIT_CODES.usage);
    expect(stderr).toContain(`${option} is for published versions, and sums is a file`);
  });

  test('a JUnit path that cannot be written is refused at once, and nothing is created', async () => {
    const cwd = emptyFolder();
    const words = [path.join(BAD, 'weak-tests.yaml'), '--junit', 'none/audit.xml'];
    const { code, stderr } = await audit(words, cwd);
    expect(code).toBe(EXIT_CODES.usage);
    expect(stderr).toContain('none/audit.xml cannot be written: ENOENT');
    expect(existsSync(path.join(cwd, 'none'))).toBe(false);
  });
});
