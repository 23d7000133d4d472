import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ResultsFile } from '../results/results-file.js';
import {
  agentsOf,
  conducted,
  deployment,
  ECHO,
  MUTE,
  prepared,
  resultsFolder,
  wordsPack,
} from '../testing/runs.js';
import type { LocalAgents } from './local-agents.js';

const folder = resultsFolder();
afterAll(() => folder.remove());

const figures = (items: readonly { name: string; overall: number | null; rank: number | null }[] = []) =>
  items.map(({ name, overall, rank }) => ({ name, overall, rank }));

describe('A run in one process', () => {
  test('every attempt is graded, and the lanes are ranked', async () => {
    const run = await prepared(wordsPack(7), agentsOf(MUTE, ECHO), { repetitions: 3 });
    const end = await conducted(run, { file: folder.path('ranked.clash') });
    expect(figures(end?.ranking.items)).toEqual([
      { name: 'echo', overall: 1, rank: 1 },
      { name: 'mute', overall: 0, rank: 2 },
    ]);
    expect(end?.run).toMatchObject({ status: 'completed', progress: { total: 42, scored: 42, passed: 21 } });
  });

  test('its events have positions without a gap, and the file has those of every attempt', async () => {
    const positions: number[] = [];
    const file = folder.path('events.clash');
    const onEvent = ({ position }: { position: number }) => void positions.push(position);
    await conducted(await prepared(wordsPack(3), agentsOf(ECHO)), { file, onEvent });
    expect(positions).toEqual(positions.map((_, index) => index + 1));
    const results = await ResultsFile.open(file);
    for (const { id } of results.attempts) {
      const events = await results.events(id, 1);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at + 1));
      expect(events.at(-1)?.event_type).toBe('system.run.completed');
    }
    await results.close();
  });

  test('an interrupted run is continued: finished attempts stay, and the ranking is that of a whole run', async () => {
    const whole = await conducted(await prepared(wordsPack(40), agentsOf(ECHO, MUTE)), {
      file: folder.path('whole.clash'),
    });
    const file = folder.path('interrupted.clash');
    const interrupt = new AbortController();
    let scored = 0;
    const ended = await conducted(await prepared(wordsPack(40), agentsOf(ECHO, MUTE)), {
      ...{ file, signal: interrupt.signal, concurrency: 2 },
      onEvent: ({ event_type }) => {
        if (event_type === 'run.attempt_scored') scored += 1;
        if (scored === 9) interrupt.abort();
      },
    });
    expect(ended).toBeUndefined();
    const kept = await ResultsFile.open(file);
    const ids = kept.attempts.map(({ id }) => id);
    await kept.close();
    expect(ids.length).toBeGreaterThanOrEqual(9);
    expect(ids.length).toBeLessThan(80);
    // As a process leaves it that is killed while it writes.
    appendFileSync(file, '{"record":"attempt","ordin');
    const end = await conducted(await prepared(wordsPack(40), agentsOf(ECHO, MUTE)), {
      file,
      isContinued: true,
    });
    const results = await ResultsFile.open(file);
    const all = results.attempts.map(({ id }) => id);
    await results.close();
    expect(new Set(all).size).toBe(80);
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(figures(end?.ranking.items)).toEqual(figures(whole?.ranking.items));
    expect(end?.run.progress).toEqual(whole?.run.progress);
  });

  test('the file of another run, and that of one that has ended, is not continued', async () => {
    const file = folder.path('ended.clash');
    const run = () => prepared(wordsPack(2), agentsOf(ECHO));
    await conducted(await run(), { file });
    await expect(conducted(await run(), { file, isContinued: true })).rejects.toThrow(/has ended/);
    const interrupted = folder.path('other.clash');
    const signal = AbortSignal.abort();
    await conducted(await run(), { file: interrupted, signal });
    const continued = async (pack: string, agents: LocalAgents, repetitions = 1) =>
      await conducted(await prepared(pack, agents, { repetitions }), {
        file: interrupted,
        isContinued: true,
      });
    await expect(continued(wordsPack(3), agentsOf(ECHO))).rejects.toThrow(
      /not the one that is given; it differs in the pack$/,
    );
    await expect(continued(wordsPack(2), agentsOf(MUTE), 2)).rejects.toThrow(
      /differs in the agents \(echo\), the repetitions \(1\)$/,
    );
    const configured = { ...MUTE, name: ECHO.name };
    await expect(continued(wordsPack(2), agentsOf(configured))).rejects.toThrow(
      /the configuration of an agent/,
    );
  });

  test('a run whose attempts all have the same error of the pack fails before its last attempt', async () => {
    const numbers = wordsPack(60).replace('exact_match', 'numeric_match').replaceAll('value: w', 'value: ');
    const run = await prepared(numbers, agentsOf(ECHO));
    // As a file beside the pack may hold it, which is read when an attempt is graded.
    for (const { case: each } of run.cases.values()) {
      each.case.expectations = [{ key: 'word', kind: 'text', value: 'twelve' }];
    }
    const end = await conducted(run, { file: folder.path('broken.clash'), concurrency: 1 });
    expect(end?.run).toMatchObject({ status: 'failed', failure: { code: 'pack_errors' } });
    expect(end?.run.progress.by_outcome.completed).toBeLessThan(60);
  });

  test('what cannot race is refused before anything runs', async () => {
    const program = deployment('program', { command: ['true'] }, 'program');
    await expect(prepared(wordsPack(1), agentsOf(program))).rejects.toMatchObject({
      code: 'incompatible_deployment',
    });
    await expect(prepared(wordsPack(1), agentsOf(ECHO), { cases: ['case-2'] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(prepared(wordsPack(1), agentsOf(ECHO), { deployments: ['eco'] })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/did you mean echo\?/),
    });
  });

  test('the scorecards of the file are canonical JSON of their own, byte for byte the same in each run', async () => {
    const cardsOf = async (name: string) => {
      const file = folder.path(name);
      await conducted(await prepared(wordsPack(4), agentsOf(ECHO, MUTE), { seed: 7 }), { file });
      const lines = readFileSync(file, 'utf8').split('\n');
      const cards = lines.flatMap(
        (line) => /"scorecard":(\{"cost_per_correct.*\})\}\}$/.exec(line)?.[1] ?? [],
      );
      return cards.map((card) => card.replace(/"(latency_ms|value)":\d+/g, '"$1":0')).sort();
    };
    const first = await cardsOf('first.clash');
    expect(first).toHaveLength(8);
    expect(await cardsOf('second.clash')).toEqual(first);
  });
});
