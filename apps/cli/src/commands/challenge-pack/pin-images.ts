import { readPack } from '@agentclash/challengepack';
import { CommandError } from '../../command-error.js';
import { environment } from '../../config.js';
import { Interrupt } from '../../follow/interrupt.js';
import type { Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';

/** The name of an image by a tag, at its place in the document. */
interface Tag {
  name: string;
  field: string;
  line: number;
  column: number;
}

/** The document with the digest of every image in place of its tag, as its registry knows it now. */
export async function withPinnedImages(
  session: Session,
  { name: file, source }: { name: string; source: Uint8Array },
): Promise<Uint8Array> {
  const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(source).split('\n');
  const tags = tagsIn(source, lines);
  if (tags.length === 0) return source;
  const { pinnedImage } = await import('@agentclash/sandbox');
  const interrupt = new Interrupt();
  const pins = new Map<string, string>();
  try {
    for (const tag of tags) {
      if (pins.has(tag.name)) continue;
      const at = `${file}:${tag.line}:${tag.column} ${tag.field}`;
      const pin = await pinnedImage(tag.name, environment.operator, interrupt.signal).catch(
        (error: unknown) => {
          throw interrupt.happened
            ? new CommandError('try_again', 'The command was interrupted', { cause: error })
            : commandErrorOf(error, at);
        },
      );
      pins.set(tag.name, pin);
      session.out.note(session.out.paint.dim(oneLine(`${tag.name} is published as ${pin}`)));
    }
  } finally {
    interrupt.release();
  }
  for (const { name, line, column } of [...tags].sort((a, b) => b.column - a.column)) {
    const text = lines[line - 1] ?? '';
    lines[line - 1] = text.slice(0, column - 1) + pins.get(name) + text.slice(column - 1 + name.length);
  }
  return new TextEncoder().encode(lines.join('\n'));
}

/** Each place once: an alias leads to where its content is written. */
function tagsIn(source: Uint8Array, lines: readonly string[]): Tag[] {
  const { valid, problems } = readPack(source, { pinsImages: true });
  // The server reports the problems of an invalid pack.
  if (!valid) return [];
  const tags = new Map<string, Tag>();
  for (const { code, field, line, column } of problems) {
    if (code !== 'image_not_pinned' || !field.endsWith('.image')) continue;
    const text = lines[line - 1] ?? '';
    const [, quote = '', name = ''] =
      /^(["']?)([a-zA-Z0-9][a-zA-Z0-9._:/-]*)/.exec(text.slice(column - 1)) ?? [];
    if (name !== '') tags.set(`${line}:${column}`, { name, field, line, column: column + quote.length });
  }
  return [...tags.values()];
}

function commandErrorOf(error: unknown, at: string): unknown {
  if (!(error instanceof Error) || !['SandboxError', 'RangeError'].includes(error.name)) return error;
  const isPermanent = 'code' in error && error.code === 'invalid_image';
  const fix = 'fix' in error && typeof error.fix === 'string' ? error.fix : undefined;
  return new CommandError(isPermanent ? 'usage' : 'unavailable', `${at}: ${error.message}`, {
    hint: fix ?? 'Name the image by its digest, NAME@sha256:DIGEST, to publish without its registry.',
    cause: error,
  });
}
