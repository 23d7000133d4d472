import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { routes } from '@agentclash/api';
import { artifacts, ContractError, type Out, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const PACKS = '/v1/workspaces/default/challenge-packs';
const MIB = 1_048_576;

describe('a pack that comes as a form', () => {
  let fixture: GatewayFixture;
  const id = newId();
  const published: Out<typeof packs.publish> = {
    created: true,
    challenge_pack_id: id,
    challenge_pack_version_id: id,
    evaluation_spec_id: id,
    input_set_ids: [],
    input_sets: [],
    bundle_artifact_id: id,
    version_number: 1,
    digest: 'sha256:x',
    warnings: [],
  };
  const unknown = { slug: null, number: null, execution_mode: null, digest: null };
  const summary = { ...unknown, challenges: null, input_sets: null, cases: null, tools: null };

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  beforeEach(() => {
    fixture.fakes.on(packs.publish, () => published);
    fixture.fakes.on(packs.validate, () => ({ valid: true, errors: [], warnings: [], summary }));
  });
  afterAll(async () => await fixture.close());

  const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
  const filesOf = (contents: Record<string, string>) =>
    Object.entries(contents).map(([name, content]) => ({
      name,
      file: new Blob([content], { type: 'text/csv' }),
    }));
  const stored = async () => {
    const entries = await readdir(fixture.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const publish = (contents: Record<string, string>, idempotencyKey?: string) =>
    fixture.client().call(routes.packs.publish, {
      body: { bundle: new Uint8Array([0x61, 0xff]), files: filesOf(contents) },
      ...(idempotencyKey && { idempotencyKey }),
    });

  test('a pack in a form is sent to the registry byte for byte, its files as references to stored bytes', async () => {
    const contents = { 'fixtures/a.csv': '1,2', 'Größe/ü.txt': 'x', 'odd name; x=y': 'z' };
    expect(await publish(contents)).toEqual(published);
    expect(fixture.fakes.last(packs.publish)).toEqual({
      workspace_id: expect.any(String),
      document_base64: Buffer.from([0x61, 0xff]).toString('base64'),
      strict: false,
      draft: false,
      actor: 'bootstrap',
      files: Object.entries(contents).map(([name, content]) => ({
        path: name,
        sha256: sha256(content),
        media_type: 'text/csv',
      })),
    });
    expect(await stored()).toEqual(expect.arrayContaining(Object.values(contents).map(sha256)));
  });

  test('validating a pack stores files with rows as long as it takes, and discards them', async () => {
    const content = 'id\nonly read\n';
    let whileReading: string[] = [];
    fixture.fakes.on(packs.validate, async () => {
      whileReading = await stored();
      return { valid: true, errors: [], warnings: [], summary };
    });
    fixture.fakes.on(artifacts.discard, () => ({}));
    const body = { bundle: 'a: 1', files: filesOf({ 'data/rows.csv': content }) };
    await fixture.client().call(routes.packs.validate, { body });
    expect(whileReading).toContain(sha256(content));
    expect(fixture.fakes.last(artifacts.discard)).toEqual({ sha256s: [sha256(content)] });
  });

  test('validating a pack in a form stores nothing', async () => {
    const before = await stored();
    const body = { bundle: 'a: 1', files: filesOf({ 'only-checked': 'never kept' }) };
    expect(await fixture.client().call(routes.packs.validate, { body })).toMatchObject({ valid: true });
    expect(fixture.fakes.last(packs.validate)?.files).toEqual([
      { path: 'only-checked', sha256: sha256('never kept'), media_type: 'text/csv' },
    ]);
    expect(await stored()).toEqual(before);
  });

  test('a form is published once for one idempotency key, and the key is refused for another file', async () => {
    const before = fixture.fakes.count(packs.publish);
    const first = await publish({ a: '1' }, 'form');
    expect(await publish({ a: '1' }, 'form')).toEqual(first);
    expect(fixture.fakes.count(packs.publish)).toBe(before + 1);
    await expect(publish({ a: '2' }, 'form')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  const part = (disposition: string, content = 'x') =>
    `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const bundle = part('name="bundle"', 'a: 1');
  const post = async (target: string, body: string, type = 'multipart/form-data; boundary=b') => {
    const response = await fixture.request(target, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    return { status: response.status, ...((await response.json()) as { code?: string; errors?: object[] }) };
  };

  test('the parts of a form need no file names', async () => {
    expect(await post(PACKS, `${bundle}${part('name="f"', 'yz')}--b--\r\n`)).toMatchObject({ status: 201 });
    expect(fixture.fakes.last(packs.publish)).toMatchObject({
      document_base64: Buffer.from('a: 1').toString('base64'),
      files: [{ path: 'f', sha256: sha256('yz') }],
    });
  });

  test('a form that breaks off leaves no stored bytes: a large file before a part with an invalid name', async () => {
    const discarded: string[] = [];
    fixture.fakes.on(artifacts.discard, ({ sha256s }) => {
      discarded.push(...sha256s);
      return {};
    });
    const large = newId().padEnd(20 * MIB, 'x');
    const body = `${bundle}${part('name="large"', large)}${part('name="a/../b"')}--b--\r\n`;
    expect(await post(PACKS, body)).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(discarded).toEqual([sha256(large)]);
    const cut = newId().padEnd(MIB, 'y');
    const broken = `${bundle}${part('name="cut"', cut)}--b\r\ncontent-disp`;
    expect(await post(PACKS, broken)).toMatchObject({ status: 400 });
    // The form may break off before the file is stored, or after.
    const left = (await stored()).filter((name) => !discarded.includes(name));
    expect(left).not.toContain(sha256(cut));
  });

  test('a failed publication discards its files, and a successful one keeps them', async () => {
    const discarded: string[] = [];
    fixture.fakes.on(artifacts.discard, ({ sha256s }) => {
      discarded.push(...sha256s);
      return {};
    });
    const [kept, dropped] = [newId(), newId()];
    await publish({ a: kept });
    fixture.fakes.on(packs.publish, () => {
      throw new ContractError('invalid_pack', 'The pack is not valid.');
    });
    await expect(publish({ a: dropped })).rejects.toMatchObject({ code: 'invalid_pack' });
    expect(discarded).toEqual([sha256(dropped)]);
  });

  test.each<[string, string, number, string, string | undefined]>([
    ['no bundle', `${part('name="f"')}--b--\r\n`, 400, 'unreadable', 'bundle'],
    ['nothing', '--b--\r\n', 400, 'unreadable', 'bundle'],
    ['an empty body', '', 400, 'unreadable', 'bundle'],
    ['two bundles', `${bundle}${bundle}--b--\r\n`, 422, 'invalid_input', 'bundle'],
    ['a path twice', `${bundle}${part('name="f"')}${part('name="f"')}--b--\r\n`, 422, 'invalid_input', 'f'],
    ['a path that climbs', `${bundle}${part('name="a/../b"')}--b--\r\n`, 422, 'invalid_input', 'a/../b'],
    [
      'an absolute path',
      `${bundle}${part('name="/etc/passwd"')}--b--\r\n`,
      422,
      'invalid_input',
      '/etc/passwd',
    ],
    ['a path of a drive', `${bundle}${part('name="C:x"')}--b--\r\n`, 422, 'invalid_input', 'C:x'],
    ['an empty path', `${bundle}${part('name=""')}--b--\r\n`, 422, 'invalid_input', ''],
    [
      'a path with a control character',
      `${bundle}${part('name="a\u0001"')}--b--\r\n`,
      422,
      'invalid_input',
      'a\u0001',
    ],
    [
      'a long path',
      `${bundle}${part(`name="${'p'.repeat(1_025)}"`)}--b--\r\n`,
      422,
      'invalid_input',
      undefined,
    ],
    ['a form that breaks off', `${bundle}--b\r\ncontent-disp`, 400, 'unreadable', undefined],
    ['a file that breaks off', `${bundle}${part('name="f"').slice(0, -2)}`, 400, 'unreadable', undefined],
    ['a document over 1 MiB', `${part('name="bundle"', 'x'.repeat(MIB + 1))}--b--\r\n`, 413, 'too_large', ''],
    [
      'too many files',
      `${bundle}${Array.from({ length: 1_001 }, (_each, at) => part(`name="${at}"`)).join('')}--b--\r\n`,
      413,
      'too_large',
      undefined,
    ],
    ['a name of every object', `${bundle}${part('name="__proto__"')}--b--\r\n`, 400, 'unreadable', undefined],
  ])('%s is refused, validated or published', async (_what, body, status, code, field) => {
    const before = fixture.fakes.count(packs.publish) + fixture.fakes.count(packs.validate);
    for (const target of [PACKS, `${PACKS}/validate`]) {
      const refused = await post(target, body);
      expect(refused).toMatchObject({ status, code, ...(field !== undefined && { errors: [{ field }] }) });
    }
    expect(fixture.fakes.count(packs.publish) + fixture.fakes.count(packs.validate)).toBe(before);
  });

  test('a form without a boundary or of another kind is refused', async () => {
    expect(await post(PACKS, bundle, 'multipart/form-data')).toMatchObject({
      status: 400,
      code: 'unreadable',
    });
    expect(await post(PACKS, bundle, 'multipart/mixed; boundary=b')).toMatchObject({ status: 415 });
    expect(await post(PACKS, `${part('nothing')}--b--\r\n`)).toMatchObject({ status: expect.any(Number) });
  });

  test('a form with a file over 100 MiB is refused, and the file is named', async () => {
    const response = await new Promise<{ status?: number | undefined; text: string }>((resolve, reject) => {
      const sent = request(`${fixture.gateway.url}${PACKS}/validate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'multipart/form-data; boundary=b' },
      });
      sent.on('response', async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode, text });
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write(`${bundle}--b\r\ncontent-disposition: form-data; name="big"\r\n\r\n`);
      const chunk = Buffer.alloc(MIB);
      let left = 101;
      const write = () => {
        while (left > 0 && !sent.destroyed) {
          left -= 1;
          if (!sent.write(chunk)) return void sent.once('drain', write);
        }
        if (!sent.destroyed) sent.end('\r\n--b--\r\n');
      };
      write();
    });
    expect(response.status).toBe(413);
    expect(JSON.parse(response.text)).toMatchObject({ code: 'too_large', errors: [{ field: 'big' }] });
  });

  test('a viewer may validate a form, and not publish it', async () => {
    const { token } = await fixture
      .client()
      .call(routes.tokens.create, { body: { name: 'v', role: 'viewer' } });
    const body = { bundle: 'a: 1', files: filesOf({ f: 'x' }) };
    expect(await fixture.client(token).call(routes.packs.validate, { body })).toMatchObject({ valid: true });
    const refused = fixture.client(token).call(routes.packs.publish, { body });
    await expect(refused).rejects.toMatchObject({ status: 403 });
  });
});
