import { Transform } from 'node:stream';
import { EgressError } from '../errors.js';
import type { Gate } from './gate.js';

/** A stream that passes everything on, counts it, and breaks off when the allowance of the proxy is used up. */
export function metered(gate: Gate): { stream: Transform; bytes: () => number } {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (gate.spend(chunk.length)) done(null, chunk);
      else done(new EgressError('egress_blocked', { reason: 'bytes_limit' }));
    },
  });
  return { stream, bytes: () => bytes };
}
