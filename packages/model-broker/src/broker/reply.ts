import type { ServerResponse } from 'node:http';
import type { Payload } from '@agentclash/domain';
import type { BrokerObserver } from '../observer.js';
import type { RefusedCall } from '../prepare.js';
import type { Wire } from '../wires/wire.js';

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  503: 'overloaded_error',
};

/** Replies of the broker itself, in the protocol of the program. */
export class Reply {
  constructor(
    private readonly response: ServerResponse,
    private readonly wire: Wire,
    private readonly observer: BrokerObserver,
  ) {}

  json(body: Payload): void {
    this.#send(200, body, {});
  }

  refuse({ status, message, ...request }: RefusedCall['refused']): void {
    this.observer.refused(request);
    this.error(status, message);
  }

  error(status: number, message: string, type = ERROR_TYPES[status] ?? 'api_error'): void {
    const error = this.wire.error({ status, type, message });
    // Clients of every provider's SDK read this header.
    this.#send(error.status, error.body, { ...error.headers, 'x-should-retry': 'false' });
  }

  #send(status: number, body: Payload, headers: Record<string, string>): void {
    if (this.response.headersSent || this.response.destroyed) return;
    this.response.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.response.end(JSON.stringify(body));
  }
}
