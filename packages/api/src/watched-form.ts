/** A form as a stream that reports how many of its bytes have been read. */
export function watchedForm(
  form: FormData,
  onProgress: (bytes: number) => void,
): { body: ReadableStream<Uint8Array>; contentType: string } {
  const { body, headers } = new Response(form);
  const contentType = headers.get('content-type');
  if (body === null || contentType === null) throw new TypeError('a form has no body here');
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  return { body: body.pipeThrough(counting), contentType };
}
