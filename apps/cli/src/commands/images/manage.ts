import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import { Interrupt } from '../../follow/interrupt.js';
import type { Session } from '../../session/session.js';
import { bytes } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { oneLine } from '../../terminal/printable.js';

type Images = Awaited<ReturnType<typeof import('@agentclash/sandbox').openLocalImages>>;

/** Unpacks the images of an archive or of a layout, for packs of runs on this machine. */
export async function loadImages(session: Session, { path }: { path: string }): Promise<undefined> {
  const { out } = session;
  const references = await withImages((images, signal) =>
    images.load(path, { signal, onProgress: progressOf(session) }),
  );
  out.result({ references }, () => references.join('\n'));
  out.note(out.paint.dim('A pack names one as sandbox.image.'));
}

/** Pulls an image ahead of its first attempt; a tag becomes the digest that a pack needs. */
export async function pullImage(
  session: Session,
  { reference: given }: { reference: string },
): Promise<undefined> {
  const { out } = session;
  const pulled = await withImages((images, signal) =>
    images.pull(given, { signal, onProgress: progressOf(session) }),
  );
  out.result(pulled, () => pulled.reference);
  out.note(out.paint.dim(`${bytes(pulled.bytes)}. A pack names it as sandbox.image.`));
}

export async function listImages(session: Session): Promise<undefined> {
  const { out } = session;
  const items = await withImages(async (images) =>
    (await images.list()).map(({ reference, digest, names, bytes: size, unusedMs }) => ({
      reference,
      digest,
      names,
      bytes: size,
      unused_ms: Math.round(unusedMs),
    })),
  );
  printTable(out, items, {
    columns: [
      { title: 'IMAGE', value: ({ reference }) => reference, style: out.paint.bold },
      {
        title: 'SIZE',
        value: ({ bytes: size }) => bytes(size),
        key: 'bytes',
        data: (item) => item.bytes,
        align: 'right',
      },
      {
        title: 'UNUSED',
        value: ({ unused_ms }) => `${Math.round(unused_ms / 3_600_000)} h`,
        key: 'unused_ms',
        data: ({ unused_ms }) => unused_ms,
        align: 'right',
      },
    ],
  });
}

export async function removeImage(
  session: Session,
  { reference }: { reference: string },
): Promise<undefined> {
  const { out } = session;
  const isRemoved = await withImages((images) => images.remove(reference));
  if (!isRemoved) {
    throw new CommandError('not_found', `There is no image "${oneLine(reference)}" on this machine`, {
      hint: 'agentclash image list shows them.',
    });
  }
  out.result({ reference, removed: true }, () => `${reference}: removed`);
}

async function withImages<T>(use: (images: Images, signal: AbortSignal) => Promise<T>): Promise<T> {
  const { openLocalImages } = await import('@agentclash/sandbox');
  const interrupt = new Interrupt();
  let images: Images | undefined;
  try {
    images = await openLocalImages(environment.operator);
    return await use(images, interrupt.signal);
  } catch (error) {
    if (interrupt.happened)
      throw new CommandError('try_again', 'The command was interrupted', { cause: error });
    throw asCommandError(error);
  } finally {
    images?.close();
    interrupt.release();
  }
}

/** Of the store and of its settings. */
function asCommandError(error: unknown): unknown {
  if (!(error instanceof Error) || !['ImageError', 'SandboxError', 'RangeError'].includes(error.name))
    return error;
  const isPermanent = 'code' in error && error.code === 'invalid_image';
  const hint = 'fix' in error && typeof error.fix === 'string' ? error.fix : undefined;
  return new CommandError(isPermanent ? 'failed' : 'unavailable', error.message, { hint, cause: error });
}

const PROGRESS_MS = 1_000;

/** One line a second. */
function progressOf({ out }: Session): (progress: { doneBytes?: number; totalBytes?: number }) => void {
  let shownAt = performance.now();
  return ({ doneBytes, totalBytes }) => {
    if (doneBytes === undefined || totalBytes === undefined) return;
    const now = performance.now();
    if (now - shownAt < PROGRESS_MS) return;
    shownAt = now;
    out.note(out.paint.dim(`  ${bytes(doneBytes)} of ${bytes(totalBytes)}`));
  };
}
