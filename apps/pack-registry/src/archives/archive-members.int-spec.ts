import { gzipSync } from 'node:zlib';
import { artifacts, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tarOf, zipOf } from '../testing/archives.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();

/** Two cases with a member each of one archive. */
const packOf = (slug: string, archive: string, members: readonly string[]) => `
pack: {slug: ${slug}, name: Ledgers, family: finance}
version:
  number: 1
  execution_mode: native
  evaluation_spec:
    name: ledgers
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: total, type: exact_match, target: final_output, expected_from: case.inputs.ledger}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
  assets: [{key: books, ${archive}}]
challenges: [{key: sum, title: Sum, category: finance, difficulty: easy, instructions: Sum the ledger.}]
input_sets:
  - key: months
    name: Months
    cases:
${members.map((path, index) => `      - {challenge_key: sum, case_key: c${index}, inputs: [{key: ledger, kind: table, artifact_key: books, path: ${path}}]}`).join('\n')}
`;

const FILES = [
  { name: 'books/march.csv', content: 'amount\n1\n' },
  { name: 'books/april.csv', content: 'amount\n2\n' },
];

describe('a path beside an archive', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await registry.close());

  const storedIn = async (workspaceId: string) =>
    (await registry.bus.call(artifacts.list, { workspace_id: workspaceId })).items;

  async function membersOf(versionId: string, workspaceId: string) {
    const { manifest } = await registry.bus.call(packs.manifest, {
      workspace_id: workspaceId,
      version_id: versionId,
    });
    const { input_sets: sets } = manifest as unknown as {
      input_sets: { cases: { inputs: object[]; assets: { artifact_id: string }[] }[] }[];
    };
    const stored = await storedIn(workspaceId);
    return await Promise.all(
      (sets[0]?.cases ?? []).map(async ({ inputs, assets: [asset] }) => {
        const sha256 = stored.find(({ id }) => id === asset?.artifact_id)?.sha256 ?? '';
        return { input: inputs[0], asset, text: (await registry.blobs.artifacts.get(sha256)).toString() };
      }),
    );
  }

  test.each([
    ['books.zip', zipOf(FILES)],
    ['books.tar', tarOf(FILES)],
    ['books.tar.gz', gzipSync(tarOf(FILES))],
  ])('the members of %s that inputs name are stored as files of their cases', async (path, archive) => {
    const workspaceId = newId();
    const text = packOf('stored', `path: ${path}`, ['books/march.csv', 'books/april.csv']);
    const files = [await registry.file(path, archive)];
    const published = await registry.publish(text, { workspaceId, files });
    const members = await membersOf(published.challenge_pack_version_id, workspaceId);
    expect(members).toMatchObject([
      {
        input: { key: 'ledger', artifact_key: 'books!/books/march.csv', path: 'books/march.csv' },
        asset: { key: 'books!/books/march.csv', path: 'books/march.csv' },
        text: 'amount\n1\n',
      },
      { asset: { path: 'books/april.csv' }, text: 'amount\n2\n' },
    ]);
    expect(await registry.publish(text, { workspaceId, files })).toEqual({ ...published, created: false });
    const checked = await registry.validate(text, { workspaceId, files });
    expect(checked).toMatchObject({ valid: true, summary: { digest: published.digest } });
  });

  test('the members of an archive that is already stored can be named', async () => {
    const workspaceId = newId();
    const { sha256 } = await registry.file('books.zip', zipOf(FILES));
    const archive = await registry.bus.call(artifacts.register, {
      ...{ workspace_id: workspaceId, name: 'books.zip', actor: 'tests', bytes: 1, sha256 },
    });
    const text = packOf('named', `path: books.zip, artifact_id: ${archive.id}`, ['books/march.csv']);
    expect(await registry.validate(text, { workspaceId })).toMatchObject({
      valid: true,
      summary: { digest: null },
    });
    const published = await registry.publish(text, { workspaceId });
    const [member] = await membersOf(published.challenge_pack_version_id, workspaceId);
    expect(member?.text).toBe('amount\n1\n');
  });

  test('a member that is absent or no regular file is a problem at its position, and nothing is stored', async () => {
    const workspaceId = newId();
    const archive = zipOf([...FILES, { name: 'link', content: '/etc/passwd', mode: 0o120777 }]);
    const text = packOf('faulty', 'path: books.zip', ['books/march.csv', 'books/Merch.csv', 'link']);
    const files = [await registry.file('books.zip', archive)];
    const failure = await registry.publish(text, { workspaceId, files }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'invalid_pack' });
    expect(failure.details.errors).toMatchObject([
      {
        code: 'artifact_not_found',
        field: 'input_sets[0].cases[1].inputs[0].path',
        line: 20,
        suggestion: 'books/march.csv',
      },
      {
        code: 'invalid_archive',
        field: 'input_sets[0].cases[2].inputs[0].path',
        line: 21,
        message: 'it is no regular file',
      },
    ]);
    expect(await storedIn(workspaceId)).toEqual([]);
  });

  test('an archive bomb is rejected, and the service continues', async () => {
    const workspaceId = newId();
    const bomb = gzipSync(tarOf([{ name: 'a.csv', content: Buffer.alloc(32 * 1024 * 1024) }]));
    const files = [await registry.file('b.tgz', bomb)];
    const publishing = registry.publish(packOf('bomb', 'path: b.tgz', ['a.csv']), { workspaceId, files });
    await expect(publishing).rejects.toMatchObject({
      details: {
        errors: [{ code: 'invalid_archive', message: 'it unpacks to more than 200 times its size' }],
      },
    });
  });
});
