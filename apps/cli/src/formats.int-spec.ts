import { routes } from '@agentclash/api';
import { readCsv } from '@agentclash/challengepack';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { TABLE_LINES } from './testing/golden/cases.js';
import { CommandHost } from './testing/golden/transcript.js';
import { Terminal } from './testing/terminal.js';
import { createProgram } from './tree/program.js';

const { api, env } = useFakeApi();
let host: CommandHost;
beforeAll(() => {
  host = new CommandHost({ ...env, CI: 'true' });
});
beforeEach(() => {
  api.reset();
  offerEverything(api);
});
afterAll(() => host.stop());

const run = (line: string) => host.run(line.split(' '), {});

/** Their tables depend on the machine. */
const ELSEWHERE = ['status', 'agents list', 'image list', 'admin front-door list'];

describe('formats of tables', () => {
  test('every command that takes csv is in the list of these tests', () => {
    const listed = commandsWithCsv(createProgram(() => undefined)).filter(
      (words) => !TABLE_LINES.some((line) => `${line} `.startsWith(`${words} `)),
    );
    expect(listed.sort()).toEqual([...ELSEWHERE].sort());
  });

  test.each(TABLE_LINES)('the CSV of "%s" has a header and cells for all of its columns', async (line) => {
    const { stdout, code } = await run(`${line} -o csv`);
    expect(code).toBe((await run(line)).code);
    const rows = readCsv(stdout, ',');
    const [header = [], ...more] = rows ?? [];
    expect(new Set(header).size).toBe(header.length);
    expect(header.length).toBeGreaterThan(1);
    expect(header.filter((name) => !/^[a-z][a-z0-9_.-]*$/.test(String(name)))).toEqual([]);
    expect(more.filter((cells) => cells.length !== header.length)).toEqual([]);
    expect(stdout.endsWith('\r\n')).toBe(true);
  });

  test.each(TABLE_LINES)('the document of "%s" is the same with -o json as with --json', async (line) => {
    const byFormat = await run(`${line} -o json`);
    const byMode = await run(`${line} --json`);
    expect(JSON.parse(byFormat.stdout)).toEqual(JSON.parse(byMode.stdout));
  });

  test('a name that a spreadsheet would run as a formula is marked, quoted and whole', async () => {
    const at = '2026-03-01T12:00:00.000Z';
    api.on(routes.secrets.list, () => ({
      items: [
        {
          ...{ key: 'KEY', hosts: ['a', 'b'], binding: 'origin' as const, version: 1, created_at: at },
          ...{ updated_at: at, created_by: 'a', updated_by: '=HYPERLINK("x","y")', last_used_at: null },
        },
      ],
    }));
    const { stdout } = await run('secret list -o csv');
    expect(stdout.split('\r\n')).toEqual([
      'key,goes_to,version,updated,by,last_used',
      `KEY,"a, b",1,${at},"'=HYPERLINK(""x"",""y"")",`,
      '',
    ]);
  });

  test('a wide table has all columns on a terminal that is narrower', async () => {
    const terminal = Terminal.start(['run', 'ranking', 'last', '-o', 'wide'], { env, columns: 60 });
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).not.toContain('hidden columns');
    expect(terminal.raw).toContain('VALIDITY');
    const fitted = Terminal.start(['run', 'ranking', 'last'], { env, columns: 60 });
    expect(await fitted.ended).toBe(0);
    expect(fitted.raw).toContain('-o wide');
    expect(fitted.raw).not.toContain('VALIDITY');
  });

  test('a format is refused that contradicts --json or is not known', async () => {
    expect(await run('run list -o csv --json')).toMatchObject({ code: 64, stdout: '' });
    expect(await run('run list -o yaml')).toMatchObject({ code: 64, stdout: '' });
    expect(await run('gate last -o csv')).toMatchObject({ code: 64, stdout: '' });
  });
});

/** By their words. */
function commandsWithCsv({ commands, options }: Command, path: readonly string[] = []): string[] {
  const own = options.some(({ long, argChoices }) => long === '--output' && argChoices?.includes('csv'));
  return [
    ...(own ? [path.join(' ')] : []),
    ...commands.flatMap((child) => commandsWithCsv(child, [...path, child.name()])),
  ];
}
