import { routes } from '@agentclash/api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deployment, inputSet, pack, packVersion, run, runAgent } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { FAILURE } from './testing/fixtures/runs.js';
import { Terminal, type TerminalOptions } from './testing/terminal.js';

const { api, env } = useFakeApi();
const opened: Terminal[] = [];

function open(words: readonly string[], options: TerminalOptions = {}): Terminal {
  const terminal = Terminal.start(words, { ...options, env });
  opened.push(terminal);
  return terminal;
}
afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.close();
});
beforeEach(() => api.reset());

describe('results', () => {
  const LONG = 'a-name-that-is-longer-than-a-column-may-be';

  /** Lists whose names are long, and in which every column has a value. */
  function offerLong(): void {
    offerEverything(api);
    const at = '2026-03-01T12:00:00.000Z';
    const agents = [1, 2].map((rank) => ({
      ...runAgent(`${LONG}-${rank}`, 20),
      rank,
      judged: 20,
      passed: 20,
    }));
    const long = run({
      ...{ name: LONG, status: 'completed', started_at: at, finished_at: at },
      pack: { slug: LONG, name: LONG, version_number: 12 },
      input_set: { id: run().id, key: LONG },
    });
    api.on(routes.runs.list, () => ({ items: [{ ...long, agents }], next_cursor: null }));
    api.on(routes.tokens.list, () => ({
      items: [
        {
          ...{ id: run().id, name: LONG, role: 'member' as const, created_at: at, created_by: LONG },
          ...{ expires_at: at, last_used_at: at },
        },
      ],
      next_cursor: null,
    }));
    api.on(routes.secrets.list, () => ({
      items: [
        {
          ...{ key: LONG.toUpperCase(), hosts: [LONG, LONG], binding: 'origin' as const, version: 12 },
          ...{ created_at: at, updated_at: at, created_by: LONG, updated_by: LONG, last_used_at: at },
        },
      ],
    }));
    api.on(routes.deployments.list, () => ({
      items: [deployment(LONG)],
      next_cursor: null,
    }));
    api.on(routes.runs.failures, () => ({
      items: [
        {
          ...FAILURE,
          agent_name: LONG,
          case_key: LONG,
          failing_keys: [LONG, LONG],
          attempts: 100,
          runs: 100,
        },
      ],
      next_cursor: null,
    }));
    const digest = `sha256:${'5'.repeat(64)}`;
    api.on(routes.packs.get, () => ({
      ...pack([packVersion({ digest })]),
      ...{ slug: LONG, description: `${LONG} `.repeat(9) },
    }));
    api.on(routes.versions.inputSets, () => ({
      items: [inputSet(LONG, { description: `${LONG} `.repeat(9), challenge_key: LONG })],
    }));
  }

  test.each([
    'run list',
    'eval plan --pack sums --deployment solver idle',
    'token list',
    'deployment list',
    'run failures last',
    'challenge-pack show sums',
    'challenge-pack list',
    'run agents last',
    'run attempts last',
    'secret list',
    'secret audit',
    'artifact list',
    'baseline list',
    'workspace list',
    'provider-account list',
    'model-alias list',
    'runtime-profile list',
    'tool list',
    'gate-policy list',
  ])('The output of "%s" fits a terminal of 80 columns', async (line) => {
    offerLong();
    const terminal = open(line.split(' '), { columns: 80, rows: 60 });
    expect(await terminal.ended).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the styles take no columns
    const lines = terminal.raw.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '').split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((each) => [...each].length > 80)).toEqual([]);
  });

  test('the tables of eval scorecard fit a terminal of 80 columns, each row on one line', async () => {
    offerEverything(api);
    const terminal = open(['eval', 'scorecard', 'last'], { columns: 80, rows: 60 });
    expect(await terminal.ended).toBe(0);
    const lines = terminal.everything().split('\n');
    expect(lines).toContainEqual(
      expect.stringMatching(/^idle +large #1 +completed +failed .*…000000000082$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^hidden columns: /));
    expect(lines).toContainEqual(
      expect.stringMatching(/^correctness +0\.000 +0\.75 +gate 0\.9 +no +validators$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^# {2}AGENT .* PASS RATE .* GRADED/));
  });
});
