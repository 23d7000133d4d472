import { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readClientHello } from './client-hello.js';

/** The first bytes of a real client. */
function helloFor(servername: string | undefined): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        resolve(chunk);
        done();
      },
    });
    tlsConnect({ socket, ...(servername === undefined ? {} : { servername }) }).on('error', () => {});
  });
}

describe('the first bytes of a connection', () => {
  test('a ClientHello has the server name that a real client requests', async () => {
    expect(readClientHello(await helloFor('api.example.com'))).toMatchObject({
      kind: 'tls',
      name: 'api.example.com',
    });
  });

  test('a ClientHello has no server name where the client names none', async () => {
    expect(readClientHello(await helloFor(undefined))).toMatchObject({ kind: 'tls', name: undefined });
  });

  test('a partial ClientHello is incomplete at every cut, and small records do not change the name', async () => {
    const hello = await helloFor('api.example.com');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: hello.length - 1 }),
        fc.integer({ min: 1, max: 400 }),
        (cut, size) => {
          expect(readClientHello(hello.subarray(0, cut)).kind).toBe('incomplete');
          const records = inRecords(hello.subarray(5), size);
          expect(readClientHello(Buffer.concat([records, Buffer.from('more')]))).toEqual({
            kind: 'tls',
            name: 'api.example.com',
            bytes: records.length,
          });
        },
      ),
    );
  });

  test('a connection that is not TLS is recognised by its first byte', () => {
    expect(readClientHello(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ kind: 'other' });
    expect(readClientHello(Buffer.from('SSH-2.0-x\r\n'))).toEqual({ kind: 'other' });
  });

  test('random first bytes never make the reader throw or return an invented server name', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const greeting = readClientHello(Buffer.from([22, 3, 1, ...bytes]));
        expect(['incomplete', 'other', 'tls']).toContain(greeting.kind);
      }),
    );
  });
});

function inRecords(handshake: Buffer, size: number): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < handshake.length; at += size) {
    const part = handshake.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 0xff]), part);
  }
  return Buffer.concat(records);
}
