import { type ExportFormat, routes } from '@agentclash/api';
import {
  type Attempt,
  attempts,
  ContractError,
  type HistoryEvent,
  packs,
  runs,
  scorecards,
} from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';
import { run } from '../testing/runs.js';

const AT = '2026-01-01T00:00:00.000Z';
const database = await freshDatabase();
const nats = await freshNats();
const RUN = run();
const run_id = RUN.id;
const LANES = ['solver', 'rival'].map((name) => ({
  ...{ id: newId(), run_id, deployment_id: newId(), deployment_revision: 1, name, kind: 'scripted' as const },
  ...{ progress: RUN.progress, overall_so_far: null },
}));
const SUMMARY = {
  ...{ slug: 'words', number: 1, execution_mode: 'native', challenges: 1, input_sets: 1, cases: 1, tools: 0 },
  digest: null,
};
/** More than a page. */
const COUNT = 450;
const ATTEMPTS = LANES.flatMap((lane) =>
  Array.from({ length: COUNT / 2 }, (_, index) => attempt(lane, `case-${index + 1}`)),
);

describe('the export of a run', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    const { fakes } = fixture;
    fakes.on(runs.get, (query) => {
      if (query.run_id === run_id) return RUN;
      throw new ContractError('not_found', 'There is no such run.');
    });
    fakes.on(runs.agents, () => ({ items: LANES }));
    fakes.on(packs.getVersion, ({ version_id: id }) => ({
      ...{ id, challenge_pack_id: newId(), slug: 'words', name: 'Words', version_number: 1 },
      ...{ digest: 'sha256:00', execution_mode: 'native', lifecycle_status: 'runnable' as const },
      ...{ evaluation_spec_id: newId(), bundle_artifact_id: null, published_at: AT, published_by: 'tests' },
      summary: SUMMARY,
    }));
    fakes.on(packs.manifest, () => ({ digest: 'sha256:00', manifest: { evaluation_spec: null } }));
    fakes.on(runs.attempts, ({ limit, cursor, run_agent_id }) => {
      const from = Number(cursor ?? 0);
      const all = ATTEMPTS.filter((each) => run_agent_id === undefined || each.run_agent_id === run_agent_id);
      const end = Math.min(from + limit, all.length);
      return { items: all.slice(from, end), next_cursor: end < all.length ? String(end) : null };
    });
    fakes.on(scorecards.attempts, ({ attempt_ids }) => ({ items: attempt_ids.map(card) }));
    fakes.on(attempts.events, () => ({ items: [], delivery: 1, has_more: false }));
  });
  afterAll(async () => await fixture.close());

  const get = (format: ExportFormat, lane?: string, of = run_id) =>
    fixture.client().call(routes.runs.export, {
      params: { run_id: of },
      query: { format, ...(lane !== undefined && { lane }) },
    });

  test('the results of all pages are one stream of lines, in their order', async () => {
    const response = await get('jsonl');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${run_id}.jsonl"`);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).attempt_id)).toEqual(ATTEMPTS.map(({ id }) => id));
  });

  test('one lane, by name or id, is exported alone', async () => {
    for (const lane of ['rival', LANES[1]?.id ?? '']) {
      const rows = (await (await get('csv', lane)).text()).trimEnd().split('\r\n');
      expect(rows).toHaveLength(1 + COUNT / 2);
    }
  });

  test('a log of Inspect of several lanes, an unknown lane, format or run is refused before a byte is sent', async () => {
    const problem = (field: string) => ({ status: 422, errors: [expect.objectContaining({ field })] });
    await expect(get('inspect')).rejects.toMatchObject(problem('lane'));
    await expect(get('jsonl', 'absent')).rejects.toMatchObject(problem('lane'));
    await expect(get('xlsx' as ExportFormat)).rejects.toMatchObject(problem('format'));
    await expect(get('jsonl', undefined, newId())).rejects.toMatchObject({ status: 404 });
    expect((await get('inspect', 'rival')).headers.get('content-type')).toBe('application/zip');
  });

  test('an export that fails on its way breaks off and does not pass for a whole one', async () => {
    fixture.fakes.on(attempts.events, ({ attempt_id }) => {
      if (attempt_id === ATTEMPTS[1]?.id) throw new ContractError('not_found', 'The attempt was deleted.');
      return { items: [], delivery: 1, has_more: false };
    });
    const response = await get('atif');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('pages are read as the reader takes them, and no further when it goes away', async () => {
    const large = 'x'.repeat(200_000);
    fixture.fakes.on(scorecards.attempts, ({ attempt_ids }) => ({
      items: attempt_ids.slice(0, 5).map((id) => ({ ...card(id), scorecard: { reason: large } })),
    }));
    fixture.fakes.on(attempts.events, ({ attempt_id }) => ({
      items: [output(attempt_id, large)],
      ...{ delivery: 1, has_more: false },
    }));
    const before = fixture.fakes.count(attempts.events);
    const response = await get('atif');
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const read = fixture.fakes.count(attempts.events) - before;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(COUNT / 2);
  });
});

function attempt({ id: run_agent_id, name }: (typeof LANES)[number], case_key: string): Attempt {
  return {
    ...{ id: newId(), run_id, run_agent_id, agent_name: name, case_key, repetition: 1 },
    ...{ state: 'finished', delivery: 1, outcome: 'completed', limit_kind: null, finished_by: null },
    ...{ error: null, overall: 1, passed: true, validity: 'valid', is_scored: true, tool_call_count: 0 },
    ...{ latency_ms: 1, started_at: null, finished_at: null, awaits: null },
  };
}

function card(attempt_id: string) {
  return {
    ...{ attempt_id, state: 'ready' as const, revision: 1, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: {}, failure: null },
  };
}

function output(attempt_id: string, final_output: string): HistoryEvent {
  return {
    ...{ event_id: newId(), schema_version: '1', run_id, run_agent_id: newId(), attempt_id, delivery: 1 },
    ...{ case_key: 'c', repetition: 1, sequence_number: 1, source: 'native_engine', occurred_at: AT },
    ...{ event_type: 'system.output.finalized', payload: { final_output }, summary: {} },
  };
}
