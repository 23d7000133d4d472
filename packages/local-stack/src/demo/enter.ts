/** Settles when a line ends on the stream, when the stream ends, or when the signal aborts. */
export async function enterOn(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = () => {
      input.off('data', onData).off('end', finish);
      signal.removeEventListener('abort', finish);
      input.pause();
      resolve();
    };
    const onData = (chunk: string | Buffer) => {
      if (/[\r\n]/.test(chunk.toString())) finish();
    };
    if (signal.aborted) return finish();
    signal.addEventListener('abort', finish);
    input.on('data', onData).on('end', finish).resume();
  });
}
