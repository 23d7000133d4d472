import { monitorEventLoopDelay } from 'node:perf_hooks';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXPENSIVE, packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats({ config: 'max_payload: 8388608' });

describe('a hostile pack', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
    // The first document starts a thread.
    await registry.validate(packText());
  });
  afterAll(async () => await registry.close());

  test('does not block other packs, in its workspace or elsewhere', async () => {
    let isRead = false;
    const reading = registry.validate(EXPENSIVE).finally(() => {
      isRead = true;
    });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const times: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const start = performance.now();
      expect((await registry.validate(packText())).valid).toBe(true);
      expect((await registry.validate(packText(), { workspaceId: newId() })).valid).toBe(true);
      times.push(performance.now() - start);
    }
    delay.disable();
    expect(isRead).toBe(false);
    expect(Math.min(...times)).toBeLessThan(1_000);
    // The service runs in this very thread.
    expect(delay.percentile(50) / 1e6).toBeLessThan(100);
    // Valid or beyond the limit: that depends on the machine.
    await reading.catch((error) => expect(error).toMatchObject({ code: 'too_large' }));
  });

  test('with more problems than fit into a reply gets the first of them and their count', async () => {
    const keys = Array.from({ length: 90_000 }, (_each, index) => `k${index}: 1`).join('\n');
    const { valid, errors, warnings, problems_omitted } = await registry.validate(keys);
    expect(valid).toBe(false);
    expect(errors.length + warnings.length + (problems_omitted ?? 0)).toBeGreaterThan(90_000);
    expect(problems_omitted).toBeGreaterThan(0);
    await expect(registry.publish(keys)).rejects.toMatchObject({
      code: 'invalid_pack',
      details: { problems_omitted },
    });
  });
});
