import type { Readable } from 'node:stream';

/** A response with a status or headers of its own, or one that is not JSON. */
export class RouteResponse {
  constructor(
    readonly content: object | Buffer | Readable | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}
