import { routes } from '@agentclash/api';
import { runImports } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const TEXTS = ['x\0y', 'x\ud800y', '\udc00', '\ud83d\ude00'];

describe('imported attempts', () => {
  let fixture: GatewayFixture;
  const params = { run_id: newId() };

  beforeAll(async () => {
    const urls = { database: database.url, nats: nats.url };
    fixture = await GatewayFixture.start(urls, {}, Object.values(runImports));
    fixture.fakes.on(runImports.add, () => ({ accepted: 1, repeated: 0 }));
  });
  afterAll(async () => await fixture.close());

  test.each(TEXTS)('the texts of an attempt reach the service as they are: %j', async (text) => {
    const call = { id: 't', name: 'look', arguments: { [text]: text }, result: text };
    const attempt = { lane: 'a', case_key: 'k', final_output: text, steps: [{ text, tool_calls: [call] }] };
    await fixture.client().call(routes.runs.addImported, { params, body: { attempts: [attempt] } });
    expect(fixture.fakes.last(runImports.add)).toMatchObject({ request: { attempts: [attempt] } });
  });

  test.each([
    { lane: 'x\0y' },
    { case_key: 'x\ud800y' },
    { error_code: '\0' },
    { steps: [{ text: '', model: '\udc00' }] },
    { steps: [{ text: '', tool_calls: [{ id: '\0', name: 'n', arguments: {} }] }] },
    { scores: { metrics: { '\0': 1 } } },
  ])('a name that cannot be kept is a problem with its field: %j', async (values) => {
    const attempt = { lane: 'a', case_key: 'k', ...values };
    const refused = fixture
      .client()
      .call(routes.runs.addImported, { params, body: { attempts: [{ lane: 'a', case_key: 'k' }, attempt] } });
    await expect(refused).rejects.toMatchObject({
      ...{ status: 422, code: 'invalid_input' },
      errors: [{ field: expect.stringMatching(`^attempts.1.${Object.keys(values)[0]}`) }],
    });
  });
});
