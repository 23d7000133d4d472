import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type RunningStack, startLocalStack } from './stack.js';

jest.setTimeout(120_000);
/** Recovery takes a moment, on a machine that is busy more. */
const SOON = { timeoutMs: 60_000 };

describe('the embedded stack', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-stack-'));
  const data = path.join(folder, 'data');
  const keys = path.join(data, 'vault-keys.json');
  const start = () => startLocalStack({ data, writeUserFile: false });
  let stack: RunningStack;

  const authorized = () => ({ headers: { authorization: `Bearer ${stack.token}` } });
  const secret = () => fetch(`${stack.url}/v1/workspaces/default/secrets`, authorized());

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    stack = await start();
  });
  afterAll(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the stack starts with every service ready', async () => {
    const status = await stack.status();
    expect(Object.keys(status).sort()).toEqual([
      'gateway',
      'pack-registry',
      'run-orchestrator',
      'sandbox-executor',
      'scoring',
      'secrets-vault',
    ]);
    expect(Object.values(status).filter(({ ready }) => !ready)).toEqual([]);
  });

  test('a stack is not started twice on the same data', async () => {
    await expect(start()).rejects.toMatchObject({
      code: 'already_running',
      message: expect.stringContaining(stack.url),
    });
  });

  test('A second stack on the data is refused and leaves the files of the first where its pids are not to be seen, as from another container.', async () => {
    const pids = ['stack.json', 'postgres/postgres.process.json', 'nats/nats.process.json'].map((name) => {
      const file = path.join(data, name);
      return { file, content: readFileSync(file, 'utf8') };
    });
    // The records of a process that has other pids there.
    const elsewhere = JSON.stringify({ pid: 1, processStart: 'elsewhere' });
    for (const { file } of pids) writeFileSync(file, elsewhere);
    try {
      await expect(start()).rejects.toMatchObject({
        code: 'already_running',
        message: expect.stringContaining('another container'),
      });
      for (const { file } of pids) expect(readFileSync(file, 'utf8')).toBe(elsewhere);
    } finally {
      for (const { file, content } of pids) writeFileSync(file, content);
    }
    expect((await secret()).status).toBe(200);
  });

  test('the files of a stack are readable by their owner alone', () => {
    for (const file of [
      'credentials.json',
      'vault-keys.json',
      'stack.json',
      'nats/server.conf',
      'agentclash.log',
    ]) {
      expect({ file, mode: modeOf(path.join(data, file)) }).toEqual({ file, mode: 0o600 });
    }
  });

  test.each(['nats/nats.process.json', 'postgres/postgres.process.json'])(
    'the stack starts a killed server again, and continues to serve (%s)',
    async (record) => {
      const server = () => JSON.parse(readFileSync(path.join(data, record), 'utf8')).server.pid as number;
      const killed = server();
      process.kill(killed, 'SIGKILL');
      await waitFor(async () => existsSync(path.join(data, record)) && server() !== killed, SOON);
      await waitFor(async () => Object.values(await stack.status()).every(({ ready }) => ready), SOON);
      await waitFor(async () => (await secret()).status === 200, SOON);
    },
  );

  test('A revoked administrator token stays revoked: the next start makes another one and reports it', async () => {
    const revoked = stack.token;
    const tokens = `${stack.url}/v1/workspaces/default/tokens`;
    // The last administrator's token cannot be revoked.
    const another = await fetch(tokens, {
      method: 'POST',
      headers: { ...authorized().headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'another', role: 'admin' }),
    });
    expect(another.status).toBe(201);
    const { items } = (await (await fetch(tokens, authorized())).json()) as {
      items: { id: string; name: string }[];
    };
    const [bootstrap] = items.filter(({ name }) => name === 'bootstrap');
    const revocation = await fetch(`${tokens}/${bootstrap?.id}`, {
      ...authorized(),
      method: 'DELETE',
    });
    expect(revocation.status).toBe(204);
    expect((await secret()).status).toBe(401);
    await stack.close();
    const steps: string[] = [];
    stack = await startLocalStack({ data, writeUserFile: false, onStep: (step) => steps.push(step) });
    expect(steps).toContainEqual(expect.stringContaining("The administrator's token was revoked"));
    expect((await secret()).status).toBe(200);
    const stored = JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8')) as object;
    expect(stored).toMatchObject({ adminToken: stack.token });
    const old = { headers: { authorization: `Bearer ${revoked}` } };
    expect((await fetch(`${stack.url}/v1/whoami`, old)).status).toBe(401);
    await stack.close();
    steps.length = 0;
    stack = await startLocalStack({ data, writeUserFile: false, onStep: (step) => steps.push(step) });
    expect(steps.join()).not.toContain('revoked');
    expect((await secret()).status).toBe(200);
  });

  test('a stack does not start with another vault key once secrets are stored, and leaves no server behind', async () => {
    const put = await fetch(`${stack.url}/v1/workspaces/default/secrets/KEPT`, {
      method: 'PUT',
      headers: { ...authorized().headers, 'content-type': 'application/json' },
      body: JSON.stringify({ value: 'a value worth keeping', any: true }),
    });
    expect(put.status).toBe(204);
    await stack.close();
    const before = readFileSync(keys, 'utf8');
    const other = { active: 'k2', keys: { k2: Buffer.alloc(32, 7).toString('base64') } };
    writeFileSync(keys, JSON.stringify(other));
    await expect(start()).rejects.toThrow(/k1/);

    writeFileSync(keys, before);
    stack = await start();
    expect(await (await secret()).json()).toMatchObject({ items: [{ key: 'KEPT' }] });
  });
});

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}
