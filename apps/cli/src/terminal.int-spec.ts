import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SECOND_INTERRUPT_WITHIN_MS } from './follow/follow-run.js';
import { PROGRAM } from './testing/command.js';
import {
  attemptEvents,
  deployment,
  events,
  inputSet,
  pack,
  packVersion,
  run,
  runAgent,
} from './testing/factories.js';
import { FakeProblem, useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { Terminal, type TerminalOptions } from './testing/terminal.js';

const INTERRUPT = '\u0003';
const ENTER = '\r';
const ARTIFACT = '019a0000-0000-7000-8000-000000000041';
/** The time for a second Ctrl-C does not pass, so that no load of the machine ends it. */
const WITHOUT_END = `const timer = setTimeout;
globalThis.setTimeout = (work, ms, ...more) =>
  ms === ${SECOND_INTERRUPT_WITHIN_MS} ? timer(() => undefined, 2 ** 31 - 1) : timer(work, ms, ...more);`;
const OPEN_WINDOW = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WITHOUT_END)}`,
};
/** The first bytes of every picture of the board. */
const PICTURE = '\u001b[?2026h';
const DOWN = '\u001b[B';

const { api, env } = useFakeApi();
const opened: Terminal[] = [];

function open(words: readonly string[], options: TerminalOptions = {}): Terminal {
  const terminal = Terminal.start(words, { ...options, env: { ...env, ...options.env } });
  opened.push(terminal);
  return terminal;
}
afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.close();
});
beforeEach(() => api.reset());

describe('the live board', () => {
  const race = run({ name: 'nightly', progress: { ...run().progress, total: 6 } });
  const lanes = [runAgent('solver', 3), runAgent('noop', 3)] as const;
  const recorded = events(race.id, [
    { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
    ...attemptEvents(lanes[0], 'small', { passed: true, overall: 1 }),
    ...attemptEvents(lanes[1], 'small', { passed: false, overall: 0.25 }),
    ...attemptEvents(lanes[0], 'large', { passed: true, overall: 1 }).slice(0, 3),
  ]);
  // Under way, not months ago.
  const offsetMs = Date.now() - Date.parse(recorded[0]?.occurred_at ?? '') - 20_000;
  const history = recorded.map((event) => ({
    ...event,
    occurred_at: new Date(Date.parse(event.occurred_at) + offsetMs).toISOString(),
  }));
  const FOLLOW = ['run', 'show', race.id, '--follow'];

  beforeEach(() => {
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.agents, () => ({ items: [...lanes] }));
    api.on(routes.runs.cancel, () => ({ ...race, status: 'cancelled' as const }));
    api.stream(routes.runs.events, history, { staysOpen: true });
  });

  const isCancelRequested = () => api.seen.some(({ path }) => path.endsWith('/cancel'));

  test.each([
    [80, 24],
    [40, 15],
    [200, 50],
  ])(
    'the live board fits a screen of %d columns and %d rows: a head, a lane per agent, failures above',
    async (columns, rows) => {
      const terminal = open(FOLLOW, { columns, rows });
      await terminal.shows(/solver .*1\/3 {2}score 1\.000/);
      await terminal.shows(/noop .*1\/3 {2}score 0\.250/);
      await terminal.shows(/1 running: large #1/);
      const screen = terminal.screen();
      expect(screen.filter((line) => /running {2}2\/6/.test(line))).toHaveLength(1);
      expect(screen[0]).toMatch(/failed {6}0\.250 {2}noop/);
      expect(screen.every((line) => line.length < columns)).toBe(true);
      expect(terminal.isCursorShown).toBe(false);
    },
  );

  test('the live board is drawn in one write each time, so that it does not flicker', async () => {
    const terminal = open(FOLLOW);
    await terminal.shows('1 running: large #1');
    const pictures = terminal.raw.split(PICTURE).slice(1);
    expect(pictures.length).toBeGreaterThan(1);
    for (const picture of pictures) expect(picture.endsWith('\u001b[?2026l')).toBe(true);
    expect(terminal.raw).not.toContain('\u001b[2J');
  });

  test('the live board follows the sizes of the window and leaves nothing of its earlier output', async () => {
    const terminal = open(FOLLOW, { columns: 120 });
    await terminal.shows('1 running: large #1');
    for (const [columns, rows] of [
      [44, 24],
      [70, 10],
      [30, 12],
      [100, 30],
    ] as const) {
      const pictures = () => terminal.raw.split(PICTURE).length;
      const before = pictures();
      terminal.resize(columns, rows);
      // One may have been on its way.
      await waitFor(() => pictures() > before + 1);
      await terminal.shows(/solver .*1\/3/);
    }
    await terminal.shows('1 running: large #1');
    const screen = terminal.screen();
    expect(screen.filter((line) => /running +2\/6/.test(line))).toHaveLength(1);
    expect(screen.filter((line) => line.startsWith('solver '))).toHaveLength(1);
    expect(terminal.everything()).toContain('failed      0.250  noop');
  });

  test('the live board prints its last state once and how to follow again when following fails', async () => {
    const terminal = open(FOLLOW, { columns: 120 });
    await terminal.shows('1 running: large #1');
    api.fail(routes.runs.events, { status: 403, code: 'forbidden', detail: 'This needs a role.' });
    api.hangUp();
    await terminal.shows('This needs a role.');
    expect(await terminal.ended).toBe(77);
    const lines = terminal.screen();
    expect(lines.filter((line) => line.startsWith('solver '))).toHaveLength(1);
    expect(lines.join(' ')).toContain(`Watch it again: agentclash run show ${race.id} --follow`);
  });

  test('the live board keeps all lanes on a window that is too low', async () => {
    const terminal = open(FOLLOW, { rows: 4 });
    await terminal.shows(/solver .*1\/3.*\n.*noop .*1\/3/);
    expect(terminal.screen()).toHaveLength(3);
  });

  test('Ctrl-C restores the cursor, prints how to follow again and cancels nothing', async () => {
    const terminal = open(FOLLOW);
    await terminal.shows('1 running: large #1');
    terminal.type(INTERRUPT);
    expect(await terminal.ended).toBe(75);
    expect(terminal.everything()).toContain('Detached; the run continues.');
    expect(terminal.everything().replaceAll('\n', '')).toContain(`agentclash run show ${race.id} --follow`);
    expect(terminal.isCursorShown).toBe(true);
    expect(isCancelRequested()).toBe(false);
  });

  test('Ctrl-C before the first drawing of the board leaves the run active', async () => {
    const release = api.hold(routes.runs.agents);
    const terminal = open(FOLLOW);
    await waitFor(() => api.seen.some(({ path }) => path.endsWith('/agents')));
    terminal.type(INTERRUPT);
    await terminal.shows('^C');
    release();
    expect(await terminal.ended).toBe(75);
    expect(terminal.everything()).toContain('Detached; the run continues.');
    expect(isCancelRequested()).toBe(false);
  });

  test.each([
    ['y', 1, true],
    ['n', 75, false],
    [ENTER, 75, false],
  ])('Ctrl-C twice prompts whether to cancel; %j ends with %d', async (keys, code, isCancelled) => {
    const terminal = open(FOLLOW, { env: OPEN_WINDOW });
    await terminal.shows('1 running: large #1');
    terminal.type(INTERRUPT);
    await terminal.shows('Press Ctrl-C again');
    terminal.type(INTERRUPT);
    await terminal.shows('Cancel the run');
    terminal.type(keys);
    expect(await terminal.ended).toBe(code);
    expect(isCancelRequested()).toBe(isCancelled);
    expect(terminal.isCursorShown).toBe(true);
  });

  test('Ctrl-Z restores the cursor, and the board continues where it was', async () => {
    const terminal = Terminal.run(['bash', '-i'], { env });
    opened.push(terminal);
    terminal.type(`PS1='$ '; '${process.execPath}' '${PROGRAM}' ${FOLLOW.join(' ')}\r`);
    await terminal.shows('1 running: large #1');
    terminal.type('\u001a');
    await terminal.shows('Stopped');
    expect(terminal.isCursorShown).toBe(true);
    terminal.type('fg\r');
    await waitFor(() => !terminal.isCursorShown);
    terminal.type(INTERRUPT);
    await terminal.shows('Detached');
    await waitFor(() => terminal.isCursorShown);
  });
});

describe('questions', () => {
  const version = packVersion();
  const agents = [deployment('solver'), deployment('noop'), deployment('idle')];
  const START = ['eval', 'start'];

  function offer(): void {
    api.on(routes.packs.list, () => ({
      items: [pack([version]), { ...pack([packVersion({ slug: 'words' })]), slug: 'words', name: 'Words' }],
      next_cursor: null,
    }));
    api.on(routes.versions.inputSets, () => ({
      items: [inputSet('easy'), inputSet('hard', { description: 'With carries,\nand signs.' })],
    }));
    api.on(routes.deployments.list, () => ({ items: agents, next_cursor: null }));
    api.on(routes.runs.agents, () => ({ items: [runAgent('noop', 3), runAgent('idle', 3)] }));
    api.on(routes.runs.create, ({ body }) => {
      if ('deployment_ids' in JSON.parse(body)) return run();
      const detail = 'The run names no deployment.';
      throw new FakeProblem({ status: 422, code: 'deployments_required', detail });
    });
  }

  const sent = () => JSON.parse(api.seen.findLast(({ method }) => method === 'POST')?.body ?? 'null');

  test('questions are shown where an argument is missing, and the replies form the request', async () => {
    offer();
    const terminal = open(START);
    await terminal.shows('Which challenge pack?');
    terminal.type(ENTER);
    await terminal.shows('Which input set?');
    await terminal.shows('hard, 2 cases: With carries, and signs.');
    terminal.type(`${DOWN}${ENTER}`);
    await terminal.shows('Which deployments?');
    // All are chosen; the first one is taken out.
    terminal.type(` ${ENTER}`);
    expect(await terminal.ended).toBe(0);
    expect(sent()).toMatchObject({
      challenge_pack_version_id: version.id,
      deployment_ids: agents.slice(1).map(({ id }) => id),
    });
    expect(terminal.isCursorShown).toBe(true);
  });

  test('questions that are left by Ctrl-C start nothing', async () => {
    offer();
    const terminal = open(START);
    await terminal.shows('Which challenge pack?');
    terminal.type(INTERRUPT);
    expect(await terminal.ended).toBe(64);
    expect(terminal.everything()).toContain('Cancelled');
    expect(sent()).toBeNull();
    expect(terminal.isCursorShown).toBe(true);
  });

  test.each([
    [[...START, '--non-interactive'], {}],
    [START, { CI: 'true' }],
    [[...START, '--json'], {}],
  ])('questions are not shown by %j with %j: the choices are listed', async (words, more) => {
    offer();
    const terminal = open(words, { env: more });
    expect(await terminal.ended).toBe(64);
    expect(terminal.everything()).toContain('No challenge pack is given: name one with --');
    expect(terminal.everything()).toContain('words');
  });

  test('A change that cannot be undone, and the revocation of the own token, need a yes', async () => {
    offerEverything(api);
    const revoke = ['token', 'revoke', 'ada'];
    for (const [words, question, kept] of [
      [['challenge-pack', 'archive', 'sums', '--pack-version', '1'], 'for good?', 'sums version 1 is kept'],
      [revoke, 'Revoke it?', 'ada is kept'],
      [['secret', 'delete', 'OPENAI_KEY'], 'for good?', 'OPENAI_KEY is kept'],
      [['deployment', 'archive', 'solver'], 'for good?', 'solver is kept'],
      [['artifact', 'delete', ARTIFACT], 'for good?', `${ARTIFACT} is kept`],
    ] as const) {
      const terminal = open(words);
      await terminal.shows(question);
      terminal.type(ENTER);
      expect(await terminal.ended).toBe(0);
      expect(terminal.everything()).toContain(kept);
    }
    expect(api.seen.some(({ method }) => method === 'PATCH' || method === 'DELETE')).toBe(false);
    const terminal = open(revoke);
    await terminal.shows('commands here use it');
    terminal.type('y');
    expect(await terminal.ended).toBe(0);
    expect(api.seen.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  test('questions for a secret never show it', async () => {
    api.on(routes.secrets.set, () => undefined);
    const terminal = open(['secret', 'set', 'KEY', '--any']);
    await terminal.shows('Value of KEY');
    terminal.type(`hunter2${ENTER}`);
    expect(await terminal.ended).toBe(0);
    expect(JSON.parse(api.seen.at(-1)?.body ?? '')).toEqual({ value: 'hunter2', any: true });
    expect(terminal.raw).not.toContain('hunter2');
  });
});

describe('colours', () => {
  const list = ['run', 'list'];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
  const STYLED = /\u001b\[\d+m/;

  test.each<[string, string[], Record<string, string>, boolean]>([
    ['appear on a terminal', list, {}, true],
    ['are left out with --no-color', [...list, '--no-color'], {}, false],
    ['are left out with NO_COLOR', list, { NO_COLOR: '1' }, false],
    ['are left out on a dumb terminal', list, { TERM: 'dumb' }, false],
  ])('the colours of output %s', async (_what, words, more, isColored) => {
    api.on(routes.runs.list, () => ({ items: [run({ status: 'completed' })], next_cursor: null }));
    const terminal = open(words, { env: more });
    expect(await terminal.ended).toBe(0);
    expect(STYLED.test(terminal.raw)).toBe(isColored);
  });
});
