import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const KID = 'only';
const LIFETIME_S = 600;

/** An OpenID Connect issuer on this machine, whose people sign in with its tokens. */
export class PersonIssuer {
  private constructor(
    private readonly server: Server,
    private readonly key: KeyObject,
    readonly url: string,
  ) {}

  static async start(): Promise<PersonIssuer> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const jwk = {
      ...createPublicKey(privateKey).export({ format: 'jwk' }),
      kid: KID,
      alg: 'ES256',
      use: 'sig',
    };
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys` },
      '/keys': { keys: [jwk] },
    };
    server.on('request', ({ url: path = '' }, response) => {
      const document = documents[path];
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document ?? {}));
    });
    return new PersonIssuer(server, privateKey, url);
  }

  /** A token of ten minutes for the audience `agentclash`. */
  token(claims: object): string {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.url, aud: 'agentclash', iat: now, exp: now + LIFETIME_S, ...claims };
    const signed = [{ alg: 'ES256', kid: KID }, all].map((part) => encode(JSON.stringify(part))).join('.');
    const signature = sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${encode(signature)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function encode(bytes: string | Buffer): string {
  return Buffer.from(bytes).toString('base64url');
}
