import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ApiDriver } from './api-driver.js';

type CreateResource = (
  group: string,
  idName: string,
  spec: Record<string, unknown> & { name: string },
) => Promise<string>;

/** More than may be under way at once. */
const TESTS = 6;

/** Gets every response that the routes of webhooks declare, but errors of requests. */
export async function callWebhooks(api: ApiDriver, resource: CreateResource): Promise<void> {
  // It never responds, so that tests stay under way.
  const sockets = new Set<Socket>();
  const receiver = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const spec = { name: 'ci', url: `http://127.0.0.1:${port}/runs`, events: ['run.completed'] };
  try {
    const webhook_id = await resource('webhooks', 'webhook_id', spec);
    const params = { webhook_id };
    const delivery_id = (await api.expect(202, 'webhooks_test', { params })).body.id;
    for (let sent = 1; sent < TESTS; sent += 1) await api.call('webhooks_test', { params });
    await api.expect(409, 'webhooks_test', { params });
    await api.expect(200, 'webhooks_deliveries', { params });
    const ofDelivery = { params: { ...params, delivery_id } };
    await api.expect(200, 'webhooks_delivery', ofDelivery);
    await api.expect(202, 'webhooks_resend', ofDelivery);
    await api.expect(200, 'webhooks_update', { params, body: { ...spec, enabled: false } });
    await api.expect(409, 'webhooks_resend', ofDelivery);
    await api.expect(204, 'webhooks_remove', { params });
  } finally {
    for (const socket of sockets) socket.destroy();
    receiver.close();
  }
}
