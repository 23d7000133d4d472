import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

export interface TestRegistry {
  /** As it is written in references. */
  host: string;
  /** The scheme of authorization and the path of each request. */
  requests: string[];
  close(): void;
}

/** Serves the image of a layout under the tag `v1`, by the distribution API of OCI; with `login` to those who have a token. */
export async function serveLayout(
  layout: string,
  login?: { username: string; password: string },
): Promise<TestRegistry> {
  const requests: string[] = [];
  const index = JSON.parse(readFileSync(path.join(layout, 'index.json'), 'utf8')) as {
    manifests: { digest: string }[];
  };
  const known = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    requests.push(`${headers.authorization?.split(' ')[0] ?? 'none'} ${url}`);
    if (url.startsWith('/token')) {
      response
        .writeHead(headers.authorization === known ? 200 : 401)
        .end(JSON.stringify({ token: 'granted' }));
    } else if (known !== undefined && headers.authorization !== 'Bearer granted') {
      const realm = `http://${headers.host}/token`;
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="test"` }).end();
    } else {
      const named = url.split('/').at(-1) ?? '';
      const digest = named === 'v1' ? (index.manifests[0]?.digest ?? '') : named;
      const file = path.join(layout, 'blobs', ...digest.split(':'));
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => server.close(),
  };
}
