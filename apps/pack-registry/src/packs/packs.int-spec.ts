import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Bus, BusConnection } from '@agentclash/bus';
import { packs } from '@agentclash/contracts';
import { newId, type RunningService } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { registryConfig, startPackRegistry } from '../index.js';

const database = await freshDatabase();
const nats = await freshNats();

interface Edit {
  slug?: string;
  name?: string;
  number?: number;
  instructions?: string;
}

/** A small valid pack with two input sets. */
const pack = ({
  slug = 'capitals',
  name = 'Capitals',
  number = 1,
  instructions = 'Name the capital.',
}: Edit = {}) => `
pack: {slug: ${slug}, name: ${name}, family: trivia}
version:
  number: ${number}
  execution_mode: prompt_eval
  evaluation_spec:
    name: capitals
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.answer}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: capital, title: Capital, category: geo, difficulty: easy, instructions: ${instructions}}]
input_sets:
  - key: americas
    name: Americas
    cases:
      - {challenge_key: capital, case_key: peru, payload: {country: Peru}, expectations: [{key: answer, kind: text, value: Lima}]}
      - {challenge_key: capital, case_key: chile, payload: {country: Chile}}
  - {key: europe, name: Europe, cases: [{challenge_key: capital, case_key: malta, payload: {}}]}
`;

describe('the pack registry on real Postgres and NATS', () => {
  const workspace_id = newId();
  let folder: string;
  let service: RunningService;
  let connection: BusConnection;
  let bus: Bus;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-registry-'));
    const config = registryConfig({ DATABASE_URL: database.url, NATS_URL: nats.url, BLOB_FOLDER: folder });
    service = await startPackRegistry(config, {
      logTo: new Writable({ write: (_chunk, _encoding, done) => done() }),
    });
    connection = await BusConnection.open({ servers: [nats.url], name: 'gateway' });
    bus = new Bus(connection);
  });

  afterAll(async () => {
    await connection.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const publish = (text: string, ws = workspace_id) =>
    bus.call(packs.publish, { workspace_id: ws, document_base64: base64(text), actor: 'tests' });

  test('publishes a pack and gives it back: ids, manifest, cases in authored order, the bytes as they came', async () => {
    const text = pack({ slug: 'whole' });
    const published = await publish(text);
    expect(published).toMatchObject({
      created: true,
      version_number: 1,
      input_sets: [{ key: 'americas' }, { key: 'europe' }],
    });
    const version_id = published.challenge_pack_version_id;
    const { manifest, digest } = await bus.call(packs.manifest, { workspace_id, version_id });
    expect(digest).toBe(published.digest);
    expect(manifest).toMatchObject({ pack: { slug: 'whole' }, version: { execution_mode: 'prompt_eval' } });
    const [first = ''] = published.input_set_ids;
    const { items } = await bus.call(packs.cases, { workspace_id, input_set_id: first });
    expect(items.map(({ case_key, kind }) => [case_key, kind])).toEqual([
      ['peru', 'case_document'],
      ['chile', 'payload'],
    ]);
    const bundle = await bus.call(packs.bundle, { workspace_id, version_id });
    expect(Buffer.from(bundle.document_base64, 'base64').toString()).toBe(text);
  });

  test('publishing the same content again writes nothing and answers the same ids', async () => {
    const first = await publish(pack({ slug: 'again' }));
    const second = await publish(`# another comment\n${pack({ slug: 'again' })}`);
    expect(second).toEqual({ ...first, created: false });
  });

  test('ten publishes of one version at once make one version with the same ids for all', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(pack({ slug: 'raced' }))));
    expect(new Set(answers.map((answer) => answer.challenge_pack_version_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.input_set_ids.join())).size).toBe(1);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
  });

  test('refuses other content under a published number, naming the sections that differ', async () => {
    await publish(pack({ slug: 'fixed' }));
    const changed = publish(pack({ slug: 'fixed', instructions: 'Name the river.' }));
    await expect(changed).rejects.toMatchObject({
      code: 'version_exists',
      details: { changed_sections: ['challenges'] },
    });
    const renamed = publish(pack({ slug: 'fixed', name: 'Rivers', number: 2 }));
    await expect(renamed).rejects.toMatchObject({ code: 'pack_metadata_conflict' });
  });

  test('refuses an invalid pack with every problem and its place', async () => {
    const broken = pack({ slug: 'Broken Slug' }).replace('difficulty: easy', 'difficulty: eas');
    const failure = await publish(broken).catch((error) => error);
    expect(failure).toMatchObject({ code: 'invalid_pack' });
    expect(
      failure.details.errors.map(({ code, field, line }: { code: string; field: string; line: number }) => [
        code,
        field,
        line,
      ]),
    ).toEqual([
      ['malformed', 'pack.slug', 2],
      ['unknown_value', 'challenges[0].difficulty', 12],
    ]);
  });

  test('calls an empty document empty, whether it is checked or published', async () => {
    const errors = [{ code: 'document_empty' }];
    const checked = await bus.call(packs.validate, { workspace_id, document_base64: '' });
    expect(checked).toMatchObject({ valid: false, errors });
    await expect(publish('')).rejects.toMatchObject({ code: 'invalid_pack', details: { errors } });
  });

  test('keeps U+0000 in free values and refuses it in names', async () => {
    const kept = pack({ slug: 'nul' }).replace('{country: Peru}', '{country: "a\\0b"}');
    const { input_set_ids } = await publish(kept);
    const { items } = await bus.call(packs.cases, { workspace_id, input_set_id: input_set_ids[0] ?? '' });
    expect(items[0]?.document).toMatchObject({ payload: { country: 'a\0b' } });
    await expect(publish(pack({ slug: 'nul-name', name: '"a\\0b"' }))).rejects.toMatchObject({
      code: 'invalid_pack',
    });
  });

  test('moves a version forward, back only from deprecated, and hides what is not runnable from lists', async () => {
    const { challenge_pack_version_id: version_id } = await publish(pack({ slug: 'ageing' }));
    const move = (lifecycle_status: 'runnable' | 'deprecated' | 'archived') =>
      bus.call(packs.setLifecycle, { workspace_id, version_id, lifecycle_status });
    await move('deprecated');
    expect((await bus.call(packs.list, { workspace_id, q: 'ageing' })).items).toEqual([]);
    await move('runnable');
    expect((await bus.call(packs.list, { workspace_id, q: 'ageing' })).items).toHaveLength(1);
    await move('archived');
    await expect(move('runnable')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('pages a list by cursor without gap or repetition, and refuses a cursor that is none', async () => {
    const ws = newId();
    for (const slug of ['a', 'b', 'c']) await publish(pack({ slug }), ws);
    const first = await bus.call(packs.list, { workspace_id: ws, limit: 2 });
    const second = await bus.call(packs.list, {
      workspace_id: ws,
      limit: 2,
      cursor: first.next_cursor ?? '',
    });
    expect([...first.items, ...second.items].map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
    expect(second.next_cursor).toBeNull();
    const wrong = bus.call(packs.list, { workspace_id: ws, cursor: '%%%' });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('finds text as it was written: no character of a search stands for others', async () => {
    const ws = newId();
    await publish(pack({ slug: 'plain', name: '"Half of it"' }), ws);
    await publish(pack({ slug: 'marked', name: "'50%_of\\it'" }), ws);
    const found = async (q: string) =>
      (await bus.call(packs.list, { workspace_id: ws, q })).items.map(({ slug }) => slug);
    for (const q of ['%', '_', '\\', '50%_OF\\I']) expect(await found(q)).toEqual(['marked']);
    expect(await found('f_of')).toEqual([]);
    expect(await found('half')).toEqual(['plain']);
  });

  test('shows another workspace nothing, not even that something exists', async () => {
    const { challenge_pack_version_id: version_id } = await publish(pack({ slug: 'private' }));
    const stranger = { workspace_id: newId(), version_id };
    for (const message of [packs.getVersion, packs.manifest, packs.bundle, packs.inputSets]) {
      await expect(bus.call(message, stranger)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
