import { connect, type Socket } from 'node:net';
import { type Attack, count, type Outcomes } from './attack.js';

const CONNECTIONS = { short: 100, whole: 600 } as const;
const BODY_BYTES = 1024 * 1024;

/** Connections that hold back the last byte of a body: without a token, with a wrong one, and with a right one. */
export const slowBodies: Attack = {
  summary: '600 connections that hold back the last byte of 1 MiB',
  expected: [/^http 429\b/, /^no response$/, /^connection closed$/],
  required: /^http 401$/,
  start: async ({ url, token, workspace, scale }) => {
    const outcomes: Outcomes = {};
    const tokens = [undefined, undefined, 'ac_wrong', token];
    const connections = Array.from({ length: CONNECTIONS[scale] }, (_, at) =>
      slowConnection({ url: new URL(url), token: tokens[at % tokens.length], workspace }),
    );
    await Promise.all(connections.map(({ sent }) => sent));
    return {
      end: async () => {
        for (const { socket, outcome } of connections) {
          count(outcomes, outcome());
          socket.destroy();
        }
        return outcomes;
      },
    };
  },
};

interface SlowRequest {
  url: URL;
  token: string | undefined;
  workspace: string;
}

interface SlowConnection {
  socket: Socket;
  /** Resolves once the body was sent but for its last byte, or the server did not take it. */
  sent: Promise<void>;
  outcome: () => string;
}

function slowConnection({ url, token, workspace }: SlowRequest): SlowConnection {
  const socket = connect(Number(url.port), url.hostname);
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    received = (received + text).slice(0, 64);
  });
  const head = [
    `POST /v1/workspaces/${workspace}/runs HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    `content-length: ${BODY_BYTES}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
  ];
  const sent = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      resolve();
    });
    socket.on('error', () => resolve());
    socket.once('data', () => resolve());
    socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(BODY_BYTES - 1)}`, () => resolve());
  });
  const outcome = () => {
    const status = /^HTTP\/1.1 (\d+)/.exec(received)?.[1];
    if (status !== undefined) return `http ${status}`;
    return isClosed ? 'connection closed' : 'no response';
  };
  return { socket, sent, outcome };
}
