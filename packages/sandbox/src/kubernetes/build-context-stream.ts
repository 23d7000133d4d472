import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'undici';
import { contextArchive } from '../builds/build-context.js';
import { SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';

const STDIN = 0;
const PIECE_BYTES = 128 << 10;
const BUFFERED_BYTES_MAX = 4 << 20;
const POLL_MS = 10;

interface Context {
  directory: string;
  dockerfile: { name: string; text: string };
}

/** The size of the archive of a context, which stays the same as long as the files do. Throws `invalid_image` beyond the limit. */
export async function contextSize({ directory, dockerfile }: Context, bytesMax: number): Promise<number> {
  let bytes = 0;
  for await (const chunk of contextArchive(directory, dockerfile)) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) {
      const message = `the files of the build have more than the ${bytesMax} bytes of disk that a build has`;
      throw new SandboxError('invalid_image', message, {
        fix: 'name what it does not need in .dockerignore',
      });
    }
  }
  return bytes;
}

/** Writes the archive to the input of a container, no faster than it is read. */
export async function sendContext(
  api: KubernetesApi,
  pod: string,
  { directory, dockerfile, container, signal }: Context & { container: string; signal: AbortSignal },
): Promise<WebSocket> {
  const socket = await api.attach(pod, container);
  try {
    for await (const chunk of contextArchive(directory, dockerfile)) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        await drained(socket, signal);
        socket.send(Buffer.concat([Buffer.from([STDIN]), (chunk as Buffer).subarray(at, at + PIECE_BYTES)]));
      }
    }
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

async function drained(socket: WebSocket, signal: AbortSignal): Promise<void> {
  while (socket.bufferedAmount > BUFFERED_BYTES_MAX && socket.readyState === socket.OPEN) {
    await pause(POLL_MS, undefined, { signal });
  }
  signal.throwIfAborted();
  if (socket.readyState !== socket.OPEN) {
    throw new SandboxError('unavailable', 'the files of a build did not arrive in its pod');
  }
}
