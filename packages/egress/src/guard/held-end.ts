import type { Socket } from 'node:net';

/**
 * Holds the end of a socket back until its reader has read all before it and wants more, as its last `read()` shows that
 * found nothing. undici 7 throws, past all callers, when a connection ends while a slow reader of a body has its parser paused.
 */
export function holdingEnd<S extends Socket>(socket: S): S {
  const push = socket.push.bind(socket);
  const read = socket.read.bind(socket);
  let wantsMore = true;
  let isHeld = false;
  socket.push = (chunk, encoding) => {
    if (chunk !== null || (wantsMore && socket.readableLength === 0)) return push(chunk, encoding);
    isHeld = true;
    return false;
  };
  socket.read = (size) => {
    const chunk: unknown = read(size);
    // The socket's own call, which takes nothing.
    if (size === 0) return chunk;
    wantsMore = chunk === null;
    if (isHeld && wantsMore) {
      isHeld = false;
      process.nextTick(() => {
        push(null);
        read(0);
      });
    }
    return chunk;
  };
  return socket;
}
