import type { Bus } from '@agentclash/bus';
import { artifacts, audits, DRAFT_HOURS, DRAFTS_MAX, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Database } from '../database.js';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';
import { DraftsStore } from './drafts.store.js';

const HOUR_MS = 3_600_000;
const database = await freshDatabase();
const nats = await freshNats({ config: 'max_payload: 8388608' });

describe('drafts of packs', () => {
  let registry: TestRegistry;
  let bus: Bus;
  let workspace_id: string;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
    ({ bus, workspaceId: workspace_id } = registry);
  });
  afterAll(async () => await registry.close());

  const list = async () => (await bus.call(packs.list, { workspace_id, limit: 200 })).items;
  const draftsOf = async (workspaceId: string) => {
    const [row] = await database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM packs.packs WHERE workspace_id = $1 AND draft_expires_at IS NOT NULL',
      [workspaceId],
    );
    return row?.n;
  };

  test('a draft is read as a version by its id, is in no list, and takes neither slug nor number', async () => {
    const text = packText({ slug: 'tried' });
    const draft = await registry.publish(text, { draft: true });
    expect(draft.created).toBe(true);
    const left = Date.parse(draft.draft_expires_at ?? '') - Date.now();
    expect(left / HOUR_MS).toBeCloseTo(DRAFT_HOURS, 1);
    const version_id = draft.challenge_pack_version_id;
    const version = await bus.call(packs.getVersion, { workspace_id, version_id });
    expect(version).toMatchObject({ slug: 'tried', draft_expires_at: draft.draft_expires_at });
    const [first = ''] = draft.input_set_ids;
    const { items } = await bus.call(packs.cases, { workspace_id, input_set_id: first });
    expect(items.map(({ case_key }) => case_key)).toEqual(['peru', 'chile']);
    expect(await list()).toEqual([]);
    await expect(bus.call(packs.get, { workspace_id, pack: 'tried' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const byId = await bus.call(packs.get, { workspace_id, pack: draft.challenge_pack_id });
    expect(byId.versions.map(({ id }) => id)).toEqual([version_id]);

    // Another content under the number of the draft, and another name under its slug.
    const published = await registry.publish(text.replace('peru', 'cuba'));
    expect(published.created).toBe(true);
    expect(published.draft_expires_at).toBeUndefined();
    const again = await registry.publish(text, { draft: true });
    expect(again.challenge_pack_version_id).not.toBe(version_id);
    expect((await list()).map(({ id }) => id)).toEqual([published.challenge_pack_id]);
  });

  test('the text of a draft is no artifact, and its lifecycle does not change', async () => {
    const elsewhere = { workspaceId: newId() };
    const draft = await registry.publish(packText({ slug: 'no-text' }), { ...elsewhere, draft: true });
    const ws = { workspace_id: elsewhere.workspaceId };
    expect((await bus.call(artifacts.list, { ...ws, limit: 50 })).items).toEqual([]);
    expect(draft.bundle_artifact_id).toBeNull();
    const change = {
      ...ws,
      version_id: draft.challenge_pack_version_id,
      lifecycle_status: 'archived' as const,
    };
    await expect(bus.call(packs.setLifecycle, change)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a draft may run in a workspace whose policy requires audits of versions', async () => {
    const workspaceId = newId();
    const ws = { workspace_id: workspaceId };
    await bus.call(audits.setPolicy, { ...ws, policy: { require_audit: true }, actor: 'tests' });
    const text = packText({ slug: 'unaudited' });
    const [draft, published] = [
      await registry.publish(text, { workspaceId, draft: true }),
      await registry.publish(text, { workspaceId }),
    ];
    const shortfallOf = async (version_id: string) =>
      (await bus.call(packs.getVersion, { ...ws, version_id })).audit_shortfall;
    expect(await shortfallOf(draft.challenge_pack_version_id)).toBeUndefined();
    expect(await shortfallOf(published.challenge_pack_version_id)).toBe('audit_missing');
  });

  test('an invalid document is refused as a draft as it is when published', async () => {
    const invalid = packText({ slug: 'invalid' }).replace('judge_mode: deterministic', 'judge_mode: none');
    await expect(registry.publish(invalid, { draft: true })).rejects.toMatchObject({ code: 'invalid_pack' });
  });

  test('expired drafts are removed with all that is stored of them, and others stay', async () => {
    const workspaceId = newId();
    const text = packText({ slug: 'expiring' });
    const [old, young] = [
      await registry.publish(text, { workspaceId, draft: true }),
      await registry.publish(text, { workspaceId, draft: true }),
    ];
    const published = await registry.publish(text, { workspaceId });
    await database.query(
      "UPDATE packs.packs SET draft_expires_at = now() - interval '1 second' WHERE id = $1",
      [old.challenge_pack_id],
    );
    const db = new Database({ DATABASE_URL: database.url, DATABASE_CONNECTIONS_MAX: 1 });
    try {
      const store = new DraftsStore(db);
      expect(await store.removeExpired()).toBe(true);
      expect(await store.removeExpired()).toBe(false);
    } finally {
      await db.$disconnect();
    }
    const ws = { workspace_id: workspaceId };
    const read = (version_id: string) => bus.call(packs.getVersion, { ...ws, version_id });
    await expect(read(old.challenge_pack_version_id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(young.challenge_pack_version_id)).draft_expires_at).toBe(young.draft_expires_at);
    expect((await read(published.challenge_pack_version_id)).lifecycle_status).toBe('runnable');
    const rows = await database.query(
      'SELECT 1 FROM packs.cases c JOIN packs.input_sets s ON s.id = c.input_set_id WHERE s.version_id = $1',
      [old.challenge_pack_version_id],
    );
    expect(rows).toEqual([]);
  });

  test('a workspace with as many drafts as it may have is refused another, and others are not', async () => {
    const workspaceId = newId();
    await database.query(
      `INSERT INTO packs.packs (id, workspace_id, slug, name, family, draft_expires_at)
       SELECT gen_random_uuid(), $1, 'many', 'Many', 'tests', now() + interval '1 hour' FROM generate_series(1, $2)`,
      [workspaceId, DRAFTS_MAX],
    );
    const text = packText({ slug: 'many' });
    const refused = registry.publish(text, { workspaceId, draft: true });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${DRAFTS_MAX} drafts`),
    });
    expect(await draftsOf(workspaceId)).toBe(DRAFTS_MAX);
    const elsewhere = await registry.publish(text, { workspaceId: newId(), draft: true });
    expect(elsewhere.created).toBe(true);
  });
});
