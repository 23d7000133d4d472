import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { ApiError, routes } from '@agentclash/api';
import { type Artifact, artifacts, ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const MIB = 1_048_576;

describe('stored files', () => {
  let fixture: GatewayFixture;
  const stored = new Map<string, Artifact>();

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    fixture.fakes.on(artifacts.register, ({ sha256, bytes, name, media_type = null, actor }) => {
      const known = [...stored.values()].find((other) => other.sha256 === sha256 && other.name === name);
      const made = {
        id: newId(),
        sha256,
        bytes,
        name,
        media_type,
        created_at: new Date().toISOString(),
        created_by: actor,
      };
      const artifact = known ?? made;
      stored.set(artifact.id, artifact);
      return artifact;
    });
    fixture.fakes.on(artifacts.getMany, ({ artifact_ids }) => {
      const items = artifact_ids.flatMap((id) => stored.get(id) ?? []);
      if (items.length < artifact_ids.length) throw new ContractError('not_found', 'No such artifacts.');
      return { items };
    });
  });
  afterAll(async () => await fixture.close());

  const upload = (bytes: Uint8Array, name: string, idempotencyKey?: string) =>
    fixture.client().call(routes.artifacts.upload, {
      body: { file: new Blob([new Uint8Array(bytes)], { type: 'text/html' }), name },
      ...(idempotencyKey && { idempotencyKey }),
    });

  test('a stored file is returned byte for byte, under its sha256', async () => {
    const bytes = randomBytes(3 * MIB);
    const artifact = await upload(bytes, 'Größe 1.bin');
    expect(artifact).toMatchObject({ bytes: bytes.length, name: 'Größe 1.bin', created_by: 'bootstrap' });
    expect(artifact.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const response = await fixture
      .client()
      .call(routes.artifacts.content, { params: { artifact_id: artifact.id } });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  });

  test('a stored file is always a download, so that it never runs as a page of this origin', async () => {
    const { id } = await upload(Buffer.from('<script>1</script>'), 'x.html');
    const { headers } = await fixture
      .client()
      .call(routes.artifacts.content, { params: { artifact_id: id } });
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''x.html");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('a signed address opens a file without a token, until it is altered or expires', async () => {
    const { id } = await upload(Buffer.from('signed'), 'signed.txt');
    const { content_url } = await fixture
      .client()
      .call(routes.artifacts.get, { params: { artifact_id: id } });
    const open = async (target: string) => await fetch(`${fixture.gateway.url}${target}`);
    expect(await (await open(content_url)).text()).toBe('signed');
    const altered = [
      content_url.replace(/expires=\d+/, 'expires=99999999999'),
      content_url.replace(id, newId()),
      content_url.replace('signature=', 'signature=A'),
      content_url.replace(/signature=[^&]*/, 'signature='),
      content_url.replace(/&signature=.*/, ''),
    ];
    const refused = await Promise.all(altered.map(async (target) => (await open(target)).status));
    expect(refused).toEqual([403, 403, 403, 403, 401]);
    const other = await fixture.startAnother({ URL_LIFETIME_SECONDS: '1' });
    // Signed with another key.
    expect((await fetch(`${other.url}${content_url}`)).status).toBe(403);
    await other.close();
  });

  test('a request for a range of a stored file gets that range', async () => {
    const { id, sha256 } = await upload(Buffer.from('0123456789'), 'digits.txt');
    const part = async (headers: Record<string, string>) => {
      const response = await fixture.request(`/v1/workspaces/default/artifacts/${id}/content`, { headers });
      return [response.status, await response.text(), response.headers.get('content-range')];
    };
    expect(await part({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await part({ range: 'bytes=-1' })).toEqual([206, '9', 'bytes 9-9/10']);
    expect(await part({ range: 'bytes=99-' })).toEqual([200, '0123456789', null]);
    const since = { range: 'bytes=8-', 'if-range': `"${sha256}"` };
    expect(await part(since)).toEqual([206, '89', 'bytes 8-9/10']);
    expect(await part({ ...since, 'if-range': '"other"' })).toEqual([200, '0123456789', null]);
  });

  test('a stored file may be empty', async () => {
    const { id, bytes } = await upload(Buffer.alloc(0), 'empty');
    expect(bytes).toBe(0);
    const response = await fixture.client().call(routes.artifacts.content, { params: { artifact_id: id } });
    expect(await response.text()).toBe('');
  });

  test('a client that reports the progress of an upload sends the same bytes', async () => {
    const bytes = randomBytes(2 * MIB);
    const sent: number[] = [];
    const body = { file: new Blob([bytes]), name: 'watched', onProgress: (done: number) => sent.push(done) };
    const artifact = await fixture.client().call(routes.artifacts.upload, { body });
    expect(artifact.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.at(-1)).toBeGreaterThan(bytes.length);
  });

  test('members may delete stored files, and a refusal names what refers to them', async () => {
    const { id } = await upload(Buffer.from('used'), 'used');
    const users = [{ kind: 'deployment', id: newId(), name: 'solver' }];
    fixture.fakes.on(artifacts.remove, ({ artifact_id }) => {
      if (artifact_id === id) throw new ContractError('artifact_in_use', 'Used by "solver".', { users });
      return {};
    });
    const remove = (artifact_id: string) =>
      fixture.request(`/v1/workspaces/default/artifacts/${artifact_id}`, { method: 'DELETE' });
    expect((await remove(newId())).status).toBe(204);
    const refused = await remove(id);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 409,
      body: { code: 'artifact_in_use', detail: 'Used by "solver".', users },
    });
  });

  test('a file over 100 MiB is refused, and none of it stays stored', async () => {
    const files = async () =>
      (await readdir(path.join(fixture.folder, 'artifacts/incoming')).catch(() => [])).length;
    const chunk = Buffer.alloc(MIB);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${fixture.gateway.url}/v1/workspaces/default/artifacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'multipart/form-data; boundary=b' },
      });
      sent.on('response', (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="big"\r\n\r\n');
      let left = 102;
      const write = () => {
        while (left > 0 && !sent.destroyed) {
          left -= 1;
          if (!sent.write(chunk)) return void sent.once('drain', write);
        }
        if (!sent.destroyed) sent.end('\r\n--b--\r\n');
      };
      write();
    });
    expect(status).toBe(413);
    expect(await files()).toBe(0);
  });

  test.each<[string, string, string, number, string]>([
    ['JSON', 'application/json', '{}', 415, 'unsupported_media_type'],
    ['a form without a file', 'multipart/form-data; boundary=b', form('name="x"'), 422, 'invalid_input'],
    ['a form without a boundary', 'multipart/form-data', form('name="x"'), 400, 'unreadable'],
    ['a form that breaks off', 'multipart/form-data; boundary=b', '--b\r\ncontent-disp', 400, 'unreadable'],
    [
      'a file that breaks off',
      'multipart/form-data; boundary=b',
      form('name="f"; filename="f"').slice(0, -8),
      400,
      'unreadable',
    ],
    ['an empty form', 'multipart/form-data; boundary=b', '--b--\r\n', 422, 'invalid_input'],
    [
      'a file without a name',
      'multipart/form-data; boundary=b',
      form('name="file"; filename=""'),
      422,
      'invalid_input',
    ],
    [
      'a file with two names',
      'multipart/form-data; boundary=b',
      form('name="file"; filename="a\u0001b"'),
      422,
      'invalid_input',
    ],
  ])('%s is refused as an upload', async (_what, type, body, status, code) => {
    const target = '/v1/workspaces/default/artifacts';
    const response = await fixture.request(target, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status,
      body: { code },
    });
  });

  test('an upload is registered once for one idempotency key, and the key is refused for other bytes', async () => {
    const first = await upload(Buffer.from('keyed'), 'k.txt', 'file');
    expect(await upload(Buffer.from('keyed'), 'k.txt', 'file')).toEqual(first);
    const other = upload(Buffer.from('other'), 'k.txt', 'file');
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('an unknown file gets the status 404', async () => {
    const open = fixture.client().call(routes.artifacts.content, { params: { artifact_id: newId() } });
    await expect(open).rejects.toBeInstanceOf(ApiError);
    await expect(open).rejects.toMatchObject({ status: 404 });
  });
});

function form(disposition: string): string {
  return `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\nx\r\n--b--\r\n`;
}
