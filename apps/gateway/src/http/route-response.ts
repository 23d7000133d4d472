import type { Readable } from 'node:stream';

/** An answer with a status or headers of its own, or one that is no JSON value. */
export class RouteResponse {
  constructor(
    readonly content: object | Buffer | Readable | undefined,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}
