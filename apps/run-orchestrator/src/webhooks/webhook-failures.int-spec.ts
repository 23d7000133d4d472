import { webhooks } from '@agentclash/contracts';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../testing/orchestrator-fixture.js';
import { webhooksOf } from '../testing/webhooks-of.js';

const fixture = await openOrchestrator({
  OPERATOR_UNLOCK: '127.0.0.0/8',
  WEBHOOK_RETRY_MS: '50',
  WEBHOOK_RETRY_SECONDS_MAX: '2',
});
const { receiver, create, remove, ended, deliveriesOf, finishedRun, ofWebhook } = webhooksOf(fixture);

describe('a webhook whose address fails', () => {
  test('a delivery without success in the whole time has failed, and can be sent again with the same id', async () => {
    const { id } = await create();
    receiver.respond = () => 500;
    await finishedRun();
    const failed = await ended(id, 'failed');
    expect(failed).toMatchObject({ response_status: 500, error: 'the address responded with HTTP 500' });
    expect(failed.attempts).toBeGreaterThan(1);
    receiver.respond = () => 200;
    const again = await fixture.bus.call(webhooks.resend, { ...ofWebhook(id), delivery_id: failed.id });
    expect(again.status).not.toBe('failed');
    const params = { ...ofWebhook(id), delivery_id: failed.id };
    expect(await fixture.bus.call(webhooks.delivery, params)).toMatchObject({ id: failed.id });
    expect((await ended(id, 'delivered')).id).toBe(failed.id);
    expect(new Set(receiver.received.map((got) => got.id))).toEqual(new Set([failed.id]));
    await remove(id);
  });

  test('after five failed deliveries in a row the webhook is disabled, with the reason', async () => {
    const { id, name } = await create();
    receiver.respond = () => 500;
    await Promise.all(Array.from({ length: 6 }, () => finishedRun()));
    const disabled = await waitFor(async () => {
      const webhook = await fixture.bus.call(webhooks.get, ofWebhook(id));
      return !webhook.enabled && webhook;
    });
    expect(disabled.disabled_reason).toBe(
      '5 deliveries in a row failed, the last one: the address responded with HTTP 500',
    );
    const log = await deliveriesOf(id);
    expect(log.every(({ status }) => status === 'failed')).toBe(true);
    const resend = fixture.bus.call(webhooks.resend, { ...ofWebhook(id), delivery_id: log[0]?.id ?? '' });
    await expect(resend).rejects.toMatchObject({ code: 'conflict' });
    const spec = { name, url: receiver.url(), events: ['run.completed' as const], enabled: true };
    const update = { ...ofWebhook(id), spec, actor: 'tests' };
    const { webhook } = await fixture.bus.call(webhooks.update, update);
    expect(webhook).toMatchObject({ enabled: true, disabled_reason: null });
    await remove(id);
  });

  test('an address that is gone disables the webhook at once', async () => {
    const { id } = await create();
    receiver.respond = () => 410;
    await finishedRun();
    await ended(id, 'failed');
    expect(receiver.received).toHaveLength(1);
    const { enabled, disabled_reason } = await fixture.bus.call(webhooks.get, ofWebhook(id));
    expect([enabled, disabled_reason]).toEqual([false, 'the address responded with HTTP 410: it is gone']);
    await remove(id);
  });

  test('a redirect is not followed, and a response without end is not read', async () => {
    const { id } = await create({ url: receiver.url('/moved') });
    receiver.respond = ({ path }, response) => {
      if (path === '/moved') {
        response.writeHead(307, { location: receiver.url('/elsewhere') }).end();
        return undefined;
      }
      return 200;
    };
    await finishedRun();
    const { error } = await ended(id, 'failed');
    expect(error).toContain('HTTP 307: redirects are not followed');
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/moved']));
    await remove(id);
    const endless = await create();
    receiver.received.length = 0;
    receiver.respond = (_got, response) => {
      response.writeHead(200).write('x'.repeat(1_000_000));
      return undefined;
    };
    await finishedRun();
    expect(await ended(endless.id, 'delivered')).toMatchObject({ attempts: 1, response_status: 200 });
    await remove(endless.id);
  });

  test('a test is attempted once, also by a disabled webhook, and never disables it', async () => {
    const { id } = await create({ enabled: false });
    receiver.respond = () => 500;
    const test = await fixture.bus.call(webhooks.test, { ...ofWebhook(id), actor: 'ada' });
    expect(test).toMatchObject({ event: 'webhook.test', status: 'pending', run_id: null });
    expect(await ended(id, 'failed')).toMatchObject({ id: test.id, attempts: 1 });
    expect(receiver.received).toMatchObject([{ id: test.id, isSigned: true }]);
    expect((await fixture.bus.call(webhooks.get, ofWebhook(id))).disabled_reason).toBeNull();
    await remove(id);
  });

  test('an address that leads to a closed one at the time of an attempt gets nothing', async () => {
    const { id } = await create();
    // As a name does whose address was changed since it was checked.
    await fixture.database.query(`UPDATE runs.webhooks SET url = 'https://169.254.169.254/x' WHERE id = $1`, [
      id,
    ]);
    await finishedRun();
    expect(await ended(id, 'failed')).toMatchObject({
      error: 'egress_blocked: metadata',
      response_status: null,
    });
    await remove(id);
  });

  test.each([
    ['a metadata service', 'http://169.254.169.254/latest', 'names an address'],
    ['a private address', 'https://10.0.0.1/hook', 'names an address'],
    ['plain http to a public address', 'http://93.184.216.34/x', 'must begin with https://'],
    ['a password', 'https://user:pass@hooks.example/x', 'must not hold a user name'],
  ])('a webhook to %s is refused', async (_what, url, message) => {
    await expect(create({ url })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ field: 'url', message: expect.stringContaining(message) }] },
    });
  });
});
