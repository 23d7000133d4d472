/** In the order of preference: JSON is YAML, but what lies beside a pack is JSON more often than YAML. */
const DOCUMENT_NAMES = [/\.ya?ml$/i, /\.json$/i];
/** A pack has at most 1 MiB, which the checker says with its place; beyond this a page would choke on it first. */
const BYTES_MAX = 8_388_608;

type Named = Pick<File, 'name'>;

/** Which of some files is the pack itself: none that the pack in hand has lying beside it. */
export function findDocument<F extends Named>(
  files: readonly F[],
  isBeside: (file: F) => boolean,
): F | undefined {
  const possible = files.filter((file) => !isBeside(file));
  return DOCUMENT_NAMES.map((kind) => possible.find(({ name }) => kind.test(name))).find(Boolean);
}

/** Says of files that none of them is a pack. */
export function noDocument([first, ...others]: readonly Named[]): string {
  const who = others.length === 0 ? `${first?.name} is` : `${first?.name} and ${others.length} more are`;
  return `${who} no pack: that is a .yaml, .yml or .json file. The document is as it was.`;
}

/** The text of a file, or why there is none. */
export async function readDocument(
  file: Named & Pick<Blob, 'size' | 'arrayBuffer'>,
): Promise<{ text: string } | { problem: string }> {
  const no = (why: string) => ({ problem: `${file.name} ${why}. The document is as it was.` });
  if (file.size > BYTES_MAX) return no('is too large for a pack, which has at most 1 MiB');
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return no('cannot be read');
  const text = utf8(bytes);
  return text === undefined ? no('is not text in UTF-8') : { text };
}

function utf8(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
