import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findState } from '@agentclash/local-stack';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product } from './product.js';

jest.setTimeout(180_000);

interface Keys {
  active_key_id: string;
  is_rotating: boolean;
  keys: { id: string; state: string; secrets: number }[];
  problem: string | null;
}

describe('the operator of an embedded stack', () => {
  let product: Product;

  beforeAll(async () => {
    product = await Product.start();
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  const keyFile = () => path.join(product.folder.data, 'vault-keys.json');
  const keysInFile = () =>
    Object.keys((JSON.parse(readFileSync(keyFile(), 'utf8')) as { keys: object }).keys);
  const set = async (key: string) =>
    expect((await product.run(['secret', 'set', key, '--any'], { stdin: `value of ${key}` })).code).toBe(0);

  test('the operator makes workspaces with the token of `up`, and with no other', async () => {
    expect(await product.read('workspace', 'create', 'team')).toMatchObject({ slug: 'team' });
    const { token } = await product.read<{ token: string }>('token', 'create', 'member');
    const refused = await product.run(['workspace', 'create', 'other', '--token', token]);
    expect(refused).toMatchObject({ code: 77, stderr: expect.stringContaining('operator') });
  });

  test('the operator manages tokens of a workspace that the current token does not belong to', async () => {
    await product.read('workspace', 'create', 'elsewhere');
    const made = await product.read<{ token: string }>('token', 'create', 'ci', '-w', 'elsewhere');
    const { items } = await product.read<{ items: object[] }>('token', 'list', '-w', 'elsewhere');
    expect(items).toMatchObject([{ name: 'ci', created_by: 'operator' }]);
    const as = ['-w', 'elsewhere', '--token', made.token];
    expect((await product.run(['run', 'list', ...as])).code).toBe(0);
    expect((await product.run(['token', 'revoke', 'ci', '-w', 'elsewhere'])).code).toBe(0);
    expect((await product.run(['run', 'list', ...as])).code).toBe(77);
  });

  test('the operator rotates the master key of the running stack in one command', async () => {
    await set('FIRST');
    const before = keysInFile();
    const done = await product.read<Keys>('admin', 'rotate-keys');
    expect(done).toMatchObject({ active_key_id: 'k2', is_rotating: false, problem: null });
    expect(done.keys).toEqual([{ id: 'k2', state: 'active', secrets: 1 }]);
    expect([before, keysInFile()]).toEqual([['k1'], ['k2']]);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    await set('SECOND');
    const { stdout } = await product.run(['admin', 'rotate-keys', '--status']);
    expect(stdout).toMatch(/k2 +active +2/);
  });

  test('the operator reads the trail of a secret', async () => {
    const { items } = await product.read<{ items: object[] }>('secret', 'audit', 'FIRST');
    expect(items).toMatchObject([{ key: 'FIRST', action: 'set', version: 1, actor: 'bootstrap' }]);
  });

  test('a rotation that was killed halfway is finished after the next start', async () => {
    const rotating = product.run(['admin', 'rotate-keys']);
    await waitFor(() => keysInFile().includes('k3'), { timeoutMs: 30_000 });
    process.kill(product.state.pid, 'SIGKILL');
    await rotating;
    const state = path.join(product.folder.data, 'stack.json');
    await waitFor(async () => (await findState(state)) === undefined, { timeoutMs: 30_000 });

    product = await Product.start(product.folder);
    const status = await waitFor(
      async () => {
        const found = await product.read<Keys>('admin', 'rotate-keys', '--status');
        return found.is_rotating ? undefined : found;
      },
      { timeoutMs: 60_000 },
    );
    expect(status).toMatchObject({ problem: null, keys: [{ id: 'k3', state: 'active', secrets: 2 }] });
    expect(keysInFile()).toEqual(['k3']);
  });

  test('a second `down` while the stack stops does not cut its orderly end short', async () => {
    const log = path.join(product.folder.data, 'agentclash.log');
    const from = statSync(log).size;
    const ended = await Promise.all([product.stop(), product.stop()]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    // Its last line is logged by the first process of the stack.
    expect(readFileSync(log, 'utf8').slice(from)).toContain('database system is shut down');
    product = await Product.start(product.folder);
  });
});
