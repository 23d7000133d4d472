import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type RunEdit, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const pack = fakes.add(publish(wordPack(1)));
let deployed: Awaited<ReturnType<typeof fixture.scripted>>[];

beforeAll(async () => {
  deployed = [await fixture.scripted('agent')];
});

const create = (request = {}) => fixture.createRun(pack.version.id, deployed, request);
const find = (part: string, workspace = workspace_id) =>
  fixture.bus.call(runs.findIds, { workspace_id: workspace, part });

describe('the number of a run', () => {
  test('runs of a workspace are numbered in the order of their creation, also when they are created at once', async () => {
    const first = await create();
    const others = await Promise.all(Array.from({ length: 6 }, () => create()));
    const numbers = others.map(({ number }) => number).sort((a = 0, b = 0) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => (first.number ?? 0) + 1 + index));
  });

  test('a number finds the run, with the sign or without; a short one finds nothing else', async () => {
    const { id, number } = await create();
    expect(await find(`#${number}`)).toEqual({ runs: [id], attempts: [] });
    expect(await find(`${number}`)).toEqual({ runs: [id], attempts: [] });
    expect(await find(`#${number}`, newId())).toEqual({ runs: [], attempts: [] });
    expect(await find('#999999')).toEqual({ runs: [], attempts: [] });
    await expect(find('#0')).rejects.toThrow();
  });

  test('a number that is a part of the id of another run finds both', async () => {
    const [one, other] = [await create(), await create()];
    const ending = '4711';
    await fixture.database.query(
      `UPDATE runs.runs SET number = CASE id WHEN $1 THEN ${ending} ELSE number END WHERE id = $1`,
      [one.id],
    );
    const renamed = `${other.id.slice(0, -4)}${ending}`;
    await fixture.database.query(
      `INSERT INTO runs.runs SELECT (json_populate_record(r, json_build_object('id', $2::text, 'request_id', NULL, 'number', NULL))).*
         FROM runs.runs r WHERE id = $1`,
      [other.id, renamed],
    );
    const { runs: found } = await find(ending);
    expect(new Set(found)).toEqual(new Set([one.id, renamed]));
    expect((await find(`#${ending}`)).runs).toEqual([one.id]);
  });

  test('a run that is written without a number, as by an earlier release, is given the next one', async () => {
    const { id, number } = await create();
    const copy = newId();
    await fixture.database.query(
      `INSERT INTO runs.runs SELECT (json_populate_record(r, json_build_object('id', $2::text, 'request_id', NULL, 'number', NULL))).*
         FROM runs.runs r WHERE id = $1`,
      [id, copy],
    );
    expect((await fixture.run(copy)).number).toBe((number ?? 0) + 1);
  });

  test('the number of a deleted run is never given to another', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { id: run_id, number } = await create();
    await fixture.expectRunStatus(run_id, 'completed');
    await fixture.bus.call(runs.remove, { workspace_id, run_id, actor: 'tests' });
    await waitFor(async () => (await find(`#${number}`)).runs.length === 0);
    expect((await create()).number).toBe((number ?? 0) + 1);
  });

  test('runs that existed before are numbered by the migration, by workspace and in the order of creation', async () => {
    const folder = path.resolve(import.meta.dirname, '../../../prisma/migrations');
    const name = readdirSync(folder).find((each) => each.endsWith('_run_numbers_and_notes')) ?? '';
    const migration = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8');
    const before = await fixture.bus.call(runs.list, { workspace_id, limit: 200 });
    await fixture.database.query(`
      SET search_path TO runs;
      DROP TRIGGER runs_number ON runs; DROP FUNCTION number_run; DROP FUNCTION next_run_number; DROP TABLE run_numbers;
      ALTER TABLE runs DROP COLUMN number, DROP COLUMN note;
      ${migration};
      RESET search_path`);
    const { items } = await fixture.bus.call(runs.list, { workspace_id, limit: 200 });
    expect(items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
    expect(items.map(({ number }) => number)).toEqual(items.map((_, index) => items.length - index));
    expect((await create()).number).toBe(items.length + 1);
  });
});

describe('the description of a run', () => {
  const edit = (run_id: string, request: RunEdit) =>
    fixture.bus.call(runs.edit, { workspace_id, run_id, request, actor: 'ada' });

  test('an edit changes what it names and keeps the rest, also of a run that has ended', async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const { id } = await create({ name: 'first', labels: { branch: 'main', team: 'a' } });
    await fixture.expectRunStatus(id, 'completed');
    expect(await edit(id, { note: 'Line one\nline two' })).toMatchObject({
      ...{ name: 'first', note: 'Line one\nline two', labels: { branch: 'main', team: 'a' } },
      status: 'completed',
    });
    const changed = await edit(id, { name: 'second', labels: { team: null, pr: '7' } });
    expect(changed).toMatchObject({ name: 'second', note: 'Line one\nline two' });
    expect(changed.labels).toEqual({ branch: 'main', pr: '7' });
    const bare = await edit(id, { name: null, note: null });
    expect(bare.name).toBeNull();
    expect(bare).not.toHaveProperty('note');
  });

  test('each edit is in the history of the run, with its actor', async () => {
    const { id } = await create();
    await edit(id, { name: 'renamed', labels: { team: null } });
    const edits = (await fixture.history(id)).filter(({ event_type }) => event_type === 'run.edited');
    expect(edits.map(({ payload }) => payload)).toEqual([
      { by: 'ada', name: 'renamed', labels: { team: null } },
    ]);
  });

  test('lists find a run by its changed label, its number and the beginning of its id', async () => {
    const { id, number } = await create();
    await edit(id, { labels: { release: 'r1' } });
    const list = async (query: object) =>
      (await fixture.bus.call(runs.list, { workspace_id, ...query })).items.map((run) => run.id);
    expect(await list({ label: 'release=r1' })).toEqual([id]);
    expect(await list({ q: `#${number}` })).toEqual([id]);
    expect(await list({ q: `${number}` })).toEqual([id]);
    expect(await list({ q: id.slice(0, 13) })).toContain(id);
    expect(await list({ q: '#999999' })).toEqual([]);
  });

  test('an edit without a change, of no run or with control characters is refused', async () => {
    const { id } = await create();
    await expect(edit(id, {})).rejects.toThrow();
    await expect(edit(id, { note: 'a\u0000b' })).rejects.toThrow();
    await expect(edit(newId(), { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
