import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository } from './product.js';
import { runGuide } from './testing/guide.js';

jest.setTimeout(240_000);

describe('the guides of the API and of NATS', () => {
  let product: Product;

  beforeAll(async () => {
    product = await Product.start();
    symlinkSync(path.join(repository, 'examples'), path.join(product.folder.path, 'examples'));
  });
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  test('every command of the API guide works as printed', async () => {
    const { code, stdout, stderr } = await runGuide('api.md', product.folder, {
      AGENTCLASH_API_URL: product.state.url,
      AGENTCLASH_TOKEN: await product.token(),
    });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('"code":"invalid_input"');
    expect(stdout).toContain('event: run.completed');
    expect(stdout).toMatch(/1 concise/);
    expect(stdout).toContain('200 /docs');
  });

  test('every command of the NATS guide works as printed, and a service without access stays without', async () => {
    const { code, stdout, stderr } = await runGuide('nats.md', product.folder);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    const runs = [...stdout.matchAll(/^run ([0-9a-f-]{36})$/gm)].map(([, id]) => id);
    expect(runs).toHaveLength(2);
    // The same request is the same run.
    expect(new Set(runs).size).toBe(1);
    expect(stdout).toMatch(/^1 concise 1 passed$/m);
    expect(stderr).toContain('rejected not_found');
    expect(stderr).toMatch(/authorization violation/i);
  });
});
