import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createEgress } from '@agentclash/egress';
import { afterAll, describe, expect, test } from '@jest/globals';
import { TestBuilder, withoutBuilds } from '../testing/builder.js';

const reason = withoutBuilds();
const describeBuilds = reason === undefined ? describe : describe.skip;

describeBuilds(`builds with a network${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  const builder = new TestBuilder();
  afterAll(async () => await builder.close());

  test('a build that requires a network reaches the proxy of its host and nothing else, and others reach nothing', async () => {
    let closed = 0;
    const openProxy = () => ({
      serve: (stream: Duplex) => {
        stream.once('data', (request: Buffer) => {
          const [line = ''] = request.toString().split('\r\n');
          stream.end(`HTTP/1.0 200 OK\r\n\r\nproxied ${line}\n`);
        });
      },
      close: () => {
        closed += 1;
      },
    });
    await builder.open({ network: { openProxy }, limits: { diskBytes: 256 * 1024 ** 2 } });
    expect(builder.provider.capabilities.networkInBuilds).toBe(true);
    const request = 'GET http://public.example/a HTTP/1.0\\r\\n\\r\\n';
    const steps = `FROM BASE
RUN bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128 && printf "${request}" >&3 && cat <&3' > /response || echo none > /response
RUN echo "$http_proxy $HTTPS_PROXY" > /variables; cat /proc/net/dev > /network
`;
    const reference = await builder.build(steps, { network: 'host' });
    const output = await builder.outputIn(reference, 'cat /response /variables; echo "$http_proxy"');
    expect(output).toBe(
      'HTTP/1.0 200 OK\r\n\r\nproxied GET http://public.example/a HTTP/1.0\nhttp://127.0.0.1:3128 http://127.0.0.1:3128\n\n',
    );
    const devices = await builder.outputIn(reference, 'cat /network');
    expect(devices.match(/^ *\w+:/gm)?.map((name) => name.trim())).toEqual(['lo:']);
    expect(closed).toBe(1);
    const offline = await builder.build(`${steps}RUN true\n`);
    expect(await builder.outputIn(offline, 'cat /response /variables')).toBe('none\n \n');
    builder.expectNothingLeft();
  });

  test('a build does not reach services of this machine through the guarded client', async () => {
    const guarded = new TestBuilder();
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('private');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const openProxy = () => createEgress().proxy({ policy: { kind: 'pack', allowlist: [] } });
      await guarded.open({ network: { openProxy }, limits: { diskBytes: 256 * 1024 ** 2 } });
      const request = `GET http://127.0.0.1:${port}/a HTTP/1.0\\r\\n\\r\\n`;
      const steps = `FROM BASE
RUN bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128 && printf "${request}" >&3 && cat <&3' > /response
`;
      const reference = await guarded.build(steps, { network: 'host' });
      expect(await guarded.outputIn(reference, 'cat /response')).toMatch(/^HTTP\/1\.1 403 /);
      expect(requests).toEqual([]);
    } finally {
      server.close();
      await guarded.close();
    }
  });
});
