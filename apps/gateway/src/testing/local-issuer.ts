import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** An OpenID Connect issuer on this machine, limited to what a client uses: discovery, keys, signed tokens. */
export class LocalIssuer {
  /** The paths of requested documents. */
  readonly requests: string[] = [];
  /** True when it responds with errors. */
  isUnavailable = false;
  private readonly keys: SigningKey[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LocalIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new LocalIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      issuer.requests.push(path);
      const document = issuer.isUnavailable ? undefined : issuer.documents()[path];
      response.writeHead(document === undefined ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document ?? {}));
    });
    await issuer.rotate();
    return issuer;
  }

  /** Signs with a new key from now on; the old ones are dropped. */
  async rotate(alg = 'ES256'): Promise<SigningKey> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${this.keys.length}-${alg}`;
    const key = { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  get key(): SigningKey {
    const key = this.keys.at(-1);
    if (key === undefined) throw new Error('the issuer has no key');
    return key;
  }

  /** A token that is valid but for what the options change. Times in seconds from now. */
  async token(
    claims: Record<string, unknown> = {},
    { header = {}, key = this.key, lifetime = 300 }: TokenOptions = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.url, aud: 'agentclash', sub: 'alice', iat: now, exp: now + lifetime, ...claims };
    return await new SignJWT(all)
      .setProtectedHeader({ alg: key.jwk.alg ?? 'ES256', kid: key.jwk.kid ?? '', ...header })
      .sign(key.privateKey);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private documents(): Record<string, unknown> {
    return {
      '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/keys` },
      '/keys': { keys: [this.key.jwk] },
    };
  }
}

interface TokenOptions {
  header?: Record<string, unknown>;
  key?: SigningKey;
  lifetime?: number;
}
