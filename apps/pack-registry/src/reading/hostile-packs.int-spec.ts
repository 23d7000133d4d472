import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { longestBlockMs } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXPENSIVE, packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

/** The pack takes seconds to read. */
const BLOCKED_MS_MAX = 500;

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

  test('a hostile pack does not block other packs, in its workspace or elsewhere', async () => {
    let isRead = false;
    const reading = registry.validate(EXPENSIVE).finally(() => {
      isRead = true;
    });
    const others = async () => {
      for (let round = 0; round < 5; round += 1) {
        expect((await registry.validate(packText())).valid).toBe(true);
        expect((await registry.validate(packText(), { workspaceId: newId() })).valid).toBe(true);
      }
    };
    // The service runs in this very thread.
    expect(await longestBlockMs(others)).toBeLessThan(BLOCKED_MS_MAX);
    expect(isRead).toBe(false);
    // Valid or beyond the limit: that depends on the machine.
    await reading.catch((error) => expect(error).toMatchObject({ code: 'too_large' }));
  }, 300_000);

  test('a pack with more problems than fit into a reply gets the first of them and their count', async () => {
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
