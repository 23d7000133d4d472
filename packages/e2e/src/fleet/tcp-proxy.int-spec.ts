import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TcpProxy } from './tcp-proxy.js';

describe('a link that can fail', () => {
  let echo: Server;
  let link: TcpProxy;
  let socket: Socket;

  beforeEach(async () => {
    echo = createServer((peer) => peer.on('error', () => {}).pipe(peer)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    link = await TcpProxy.to(typeof address === 'object' && address !== null ? address.port : 0);
    socket = connect(link.port, '127.0.0.1');
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    await link.close();
    echo.close();
  });

  async function echoed(text: string): Promise<string> {
    socket.write(text);
    const [piece] = (await once(socket, 'data')) as [Buffer];
    return piece.toString();
  }

  test('a link carries bytes both ways', async () => {
    expect(await echoed('one')).toBe('one');
  });

  test('a stalled link holds sent bytes back, and delivers them afterwards', async () => {
    expect(await echoed('one')).toBe('one');
    link.become('stalled');
    const reply = echoed('two');
    let isThere = false;
    void reply.then(() => {
      isThere = true;
    });
    const other = connect(link.port, '127.0.0.1');
    await once(other, 'connect');
    expect(isThere).toBe(false);
    other.destroy();
    link.become('open');
    expect(await reply).toBe('two');
  });

  test('a cut link resets its connections, and accepts none until it is open again', async () => {
    expect(await echoed('one')).toBe('one');
    const reset = once(socket, 'error');
    link.become('cut');
    expect(await reset).toMatchObject([{ code: 'ECONNRESET' }]);
    const refused = connect(link.port, '127.0.0.1');
    expect(await once(refused, 'error').catch((error: unknown) => [error])).toMatchObject([
      { code: 'ECONNRESET' },
    ]);
    link.become('open');
    socket = connect(link.port, '127.0.0.1');
    expect(await echoed('two')).toBe('two');
  });
});
