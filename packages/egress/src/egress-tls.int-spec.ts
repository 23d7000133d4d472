import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeServers, failureOf, get, respondWith, serve } from './testing/fixture.js';
import { selfSigned } from './testing/self-signed.js';

afterEach(closeServers);

describe('TLS', () => {
  const certificate = selfSigned(['api.example', '127.0.0.1']);

  test('a trusted certificate for the name is accepted, and the name is what the server receives', async () => {
    const server = await serve((request, response) => {
      const name = request.socket instanceof TLSSocket && request.socket.servername;
      response.end(`${name} ${request.headers.host}`);
    }, certificate);
    const { body } = await get(`https://api.example:${server.port}/`, {}, { extraCa: certificate.cert });
    expect(Buffer.from(body).toString()).toBe(`api.example api.example:${server.port}`);
  });

  test('an address is checked against the certificate', async () => {
    const server = await serve(respondWith('ok'), certificate);
    const result = await get(`https://127.0.0.1:${server.port}/`, {}, { extraCa: certificate.cert });
    expect(result.status).toBe(200);
  });

  test.each([
    ['an unknown issuer', 'api.example', {}, {}],
    ['another name', 'other.example', { extraCa: certificate.cert }, {}],
    [
      'TLS 1.1',
      'api.example',
      { extraCa: certificate.cert },
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
    ],
  ] as const)('%s is refused', async (_what, host, options, versions) => {
    const server = await serve(respondWith('never'), { ...certificate, ...versions });
    const error = await failureOf(get(`https://${host}:${server.port}/`, {}, options));
    expect(error.code).toBe('tls_failed');
  });
});
