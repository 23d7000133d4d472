import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookBody } from '@agentclash/contracts';

export interface Received {
  id: string;
  body: WebhookBody;
  headers: IncomingHttpHeaders;
  /** True when the signature is that of the secret. */
  isSigned: boolean;
  status: number;
  path: string;
}

/** A server of a workspace that receives webhooks; `respond` decides its status, or responds by itself. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  respond: (request: Omit<Received, 'status'>, response: ServerResponse) => number | undefined = () => 204;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { headers, url: path = '' } = request;
      const id = String(headers['webhook-id']);
      const got = { id, body: JSON.parse(text) as WebhookBody, headers, path };
      const seen = { ...got, isSigned: this.isSigned(headers, text) };
      const status = this.respond(seen, response);
      this.received.push({ ...seen, status: status ?? 0 });
      if (status !== undefined) response.writeHead(status).end();
    });
  });

  constructor(private readonly secret: Buffer) {}

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private isSigned(headers: IncomingHttpHeaders, body: string): boolean {
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', this.secret).update(content).digest('base64');
    const given = Buffer.from(String(headers['webhook-signature']));
    const expected = Buffer.from(`v1,${signature}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
