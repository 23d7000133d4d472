import type { WebSocket } from 'ws';
import type { SandboxSession } from '../../contract.js';

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;

/** Runs a command of a pod over a socket with the protocol `channel.k8s.io`, as a kubelet does. */
export async function serveExec(
  socket: WebSocket,
  session: SandboxSession,
  command: readonly string[],
): Promise<void> {
  const input = inputOf(socket);
  const aborted = new AbortController();
  socket.once('close', () => aborted.abort());
  const send = (channel: number, bytes: Uint8Array) =>
    socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  try {
    const { exitCode } = await session.exec(command, {
      stdin: input,
      cwd: '/',
      signal: aborted.signal,
      onStdout: (chunk) => send(CHANNEL.stdout, chunk),
      onStderr: (chunk) => send(CHANNEL.stderr, chunk),
    });
    send(CHANNEL.status, Buffer.from(JSON.stringify(statusOf(exitCode))));
  } catch {
    // The client has gone, or the pod: the stream ends without a status.
  }
  socket.close();
}

export function statusOf(exitCode: number): object {
  if (exitCode === 0) return { status: 'Success' };
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }];
  return { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } };
}

async function* inputOf(socket: WebSocket): AsyncGenerator<Uint8Array> {
  const waiting: Buffer[] = [];
  let isOver = false;
  let wake = () => {};
  socket.on('message', (message: Buffer) => {
    if (message[0] === CHANNEL.stdin) waiting.push(message.subarray(1));
    wake();
  });
  socket.once('close', () => {
    isOver = true;
    wake();
  });
  for (;;) {
    const next = waiting.shift();
    if (next) yield next;
    else if (isOver) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
