import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { routes } from '@agentclash/api';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { environment } from '../../config.js';
import { command, emptyFolder, PROGRAM } from '../../testing/command.js';
import { attempt, deployment, inputSet, pack, packVersion, run } from '../../testing/factories.js';
import { useFakeApi } from '../../testing/fake-api.js';
import { Terminal } from '../../testing/terminal.js';
import { SCRIPTS, type Shell } from './scripts.js';

const { api, env } = useFakeApi();
const agent = { id: randomUUID(), name: 'solver', judged: 2, passed: 2, overall_so_far: 1, rank: 1 };
const race = run({ name: 'nightly', agents: [agent] });
const tried = attempt({});

beforeAll(() => {
  api.on(routes.runs.list, () => ({ items: [race], next_cursor: null }));
  api.on(routes.runs.attempts, () => ({ items: [tried], next_cursor: null }));
  api.on(routes.packs.list, () => ({ items: [pack([packVersion()])], next_cursor: null }));
  api.on(routes.packs.get, () => pack([packVersion()]));
  api.on(routes.versions.inputSets, () => ({ items: [inputSet('easy'), inputSet('hard')] }));
  api.on(routes.deployments.list, () => ({
    items: [deployment('solver', { variants: { bare: {}, docs: {} }, baseline: 'bare' }), deployment('noop')],
    next_cursor: null,
  }));
});

/** The values offered for the last word. */
async function offered(line: string, withEnv = env): Promise<string[]> {
  const { code, stdout, stderr } = await command(['complete', '--', ...line.split(' ').slice(1)], {
    env: withEnv,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((each) => each.split('\t')[0] ?? '');
}

/** A folder for PATH in which `agentclash` is the built program. */
function folderWithProgram(): string {
  const folder = emptyFolder();
  const program = path.join(folder, 'agentclash');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}

describe('completion', () => {
  test.each([
    ['agentclash chal', ['challenge-pack']],
    ['agentclash run sho', ['show']],
    ['agentclash pack val', ['validate']],
    ['agentclash completion f', ['fish']],
    [
      'agentclash challenge-pack init x.yaml --template ',
      ['native', 'prompt_eval', 'responses', 'multi_turn'],
    ],
    ['agentclash eval start --inp', ['--input-set']],
    ['agentclash eval start --stop-when decided --goal ', ['ranking', 'best', 'baseline']],
    ['agentclash run show some-id --fol', ['--follow']],
    ['agentclash --js', ['--json']],
    ['agentclash challenge-pack validate x', [':files']],
    ['agentclash deployment create -f ', [':files']],
    ['agentclash version ', []],
    ['agentclash nonsense ', []],
  ])('completion offers for %j the words that the commands accept', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });

  test.each([
    ['agentclash run show ', ['last', race.id]],
    ['agentclash run retry last --only ', ['infra', 'failed', tried.id]],
    ['agentclash run list --deployment s', ['solver']],
    ['agentclash eval start --deployment solver --variant ', ['bare', 'docs']],
    ['agentclash eval start --deployment noop --variant ', []],
    ['agentclash eval start --pack ', ['sums']],
    ['agentclash run start --stop-when decided --baseline ', [agent.id]],
    ['agentclash eval plan --baseline ', [agent.id]],
    ['agentclash eval start --pack sums --input-set ', ['easy', 'hard']],
    ['agentclash eval start --deployment solver no', ['noop']],
    ['agentclash challenge-pack show s', ['sums']],
    ['agentclash deployment archive ', ['solver', 'noop']],
  ])('completion offers for %j the names that the server returns', async (line, values) => {
    expect(await offered(line)).toEqual(values);
  });

  test('completion offers nothing, and prints no error, when the server is unreachable or hangs', async () => {
    expect(
      await offered('agentclash run show ', { ...env, AGENTCLASH_API_URL: 'http://127.0.0.1:9' }),
    ).toEqual([]);
    expect(await offered('agentclash run show ', {})).toEqual([]);
  });

  const testWith = (shell: Shell) =>
    spawnSync(shell, ['-c', 'true']).error === undefined ? test : test.skip;

  for (const [shell, line] of [
    [
      'bash',
      'COMP_WORDS=(agentclash eval start --deployment s); COMP_CWORD=4; _agentclash; echo "${COMPREPLY[@]}"',
    ],
    ['fish', 'complete -C "agentclash eval start --deployment s"'],
  ] as const) {
    testWith(shell)(`${shell} puts the completion candidates on its line (needs ${shell})`, async () => {
      const folder = folderWithProgram();
      const { stdout } = await promisify(execFile)(shell, ['-c', `${SCRIPTS[shell]}\n${line}`], {
        env: { ...env, HOME: folder, PATH: `${folder}:${environment.operator.PATH ?? ''}` },
      });
      expect(stdout.trim().split('\t')[0]).toBe('solver');
    });
  }

  testWith('zsh')('zsh puts the completion candidates on its line', async () => {
    const folder = folderWithProgram();
    writeFileSync(path.join(folder, 'completion'), SCRIPTS.zsh);
    const terminal = Terminal.run(['zsh', '-f', '-i'], {
      env: { ...env, PATH: `${folder}:${environment.operator.PATH ?? ''}` },
    });
    terminal.type(`PS1='ready> '; autoload -U compinit; compinit -u; source ${folder}/completion\r`);
    await terminal.shows(/^ready> $/m);
    terminal.type('agentclash eval start --deployment so\t');
    await terminal.shows('--deployment solver');
    terminal.close();
  });
});
