/** In order of preference: a JSON file is more often a referenced file than the pack. */
const DOCUMENT_NAMES = [/\.ya?ml$/i, /\.json$/i];
/** The checker reports a pack above its limit of 1 MiB; a larger file than this is not read at all. */
const BYTES_MAX = 8_388_608;

type Named = Pick<File, 'name'>;

/** Finds the pack among some files; files that the open pack refers to are not candidates. */
export function findDocument<F extends Named>(
  files: readonly F[],
  isBeside: (file: F) => boolean,
): F | undefined {
  const possible = files.filter((file) => !isBeside(file));
  return DOCUMENT_NAMES.map((kind) => possible.find(({ name }) => kind.test(name))).find(Boolean);
}

/** The message for files that include no pack. */
export function noDocument([first, ...others]: readonly Named[]): string {
  const who = others.length === 0 ? `${first?.name} is` : `${first?.name} and ${others.length} more are`;
  return `${who} not a pack: choose a .yaml, .yml or .json file. The document is unchanged.`;
}

/** The text of a file, or why there is none. */
export async function readDocument(
  file: Named & Pick<Blob, 'size' | 'arrayBuffer'>,
): Promise<{ text: string } | { problem: string }> {
  const no = (why: string) => ({ problem: `${file.name} ${why}. The document is unchanged.` });
  if (file.size > BYTES_MAX) return no('is too large: a pack has at most 1 MiB');
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return no('cannot be read');
  const text = utf8(bytes);
  return text === undefined ? no('is not UTF-8 text') : { text };
}

function utf8(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
