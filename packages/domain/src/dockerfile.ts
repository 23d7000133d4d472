/** An image that a build starts from or copies out of. */
export interface BaseImage {
  /** As it is looked up: with the defaults of `ARG` filled in. */
  name: string;
  /** Of the Dockerfile, from 1. */
  line: number;
  /** False where a variable has no default. */
  isKnown: boolean;
}

/** The most characters of a Dockerfile. */
export const DOCKERFILE_CHARACTERS_MAX = 65_536;

interface Instruction {
  keyword: string;
  content: string;
  /** From 1. */
  line: number;
  lastLine: number;
}

/** The images that a Dockerfile needs, other than `scratch` and its own stages; undefined where it has no `FROM`. */
export function baseImages(text: string): BaseImage[] | undefined {
  return read(text)?.images;
}

/** The Dockerfile with other names in its `FROM` lines, on the same lines; variables are filled in. */
export function replaceBaseImages(text: string, nameFor: (name: string) => string): string {
  const lines = text.split(/\r?\n/);
  for (const { name, rest, line, lastLine } of read(text)?.froms ?? []) {
    lines.fill('', line - 1, lastLine);
    lines[line - 1] = ['FROM', nameFor(name), ...rest].join(' ');
  }
  return lines.join('\n');
}

/** The lines that start from an image of a registry; `rest` is what follows its name. */
interface From {
  name: string;
  rest: string[];
  line: number;
  lastLine: number;
}

function read(text: string): { images: BaseImage[]; froms: From[] } | undefined {
  const images: BaseImage[] = [];
  const froms: From[] = [];
  const stages = new Set<string>();
  const variables = new Map<string, string>();
  let count = 0;
  const need = (written: string, line: number): string | undefined => {
    const { name, isKnown } = filled(written, variables);
    if (name === 'scratch' || stages.has(name.toLowerCase()) || /^\d+$/.test(name)) return undefined;
    if (!images.some((image) => image.name === name)) images.push({ name, line, isKnown });
    return name;
  };
  for (const { keyword, content, line, lastLine } of instructionsOf(
    text.slice(0, DOCKERFILE_CHARACTERS_MAX),
  )) {
    const words = content.split(/\s+/);
    if (keyword === 'ARG' && count === 0) for (const word of words) declare(word, variables);
    if (keyword === 'FROM') {
      const [image = '', ...rest] = words.filter((word) => !word.startsWith('--'));
      const name = image === '' ? undefined : need(image, line);
      if (name !== undefined) froms.push({ name, rest, line, lastLine });
      const [as, stage] = rest;
      if (as?.toLowerCase() === 'as' && stage !== undefined) stages.add(stage.toLowerCase());
      count += 1;
    }
    for (const from of sourcesOf(keyword, words)) need(from, line);
  }
  return count === 0 ? undefined : { images, froms };
}

/** Of `COPY --from=IMAGE` and `RUN --mount=…,from=IMAGE`. */
function sourcesOf(keyword: string, words: readonly string[]): string[] {
  const end = words.findIndex((word) => !word.startsWith('--'));
  const flags = end < 0 ? words : words.slice(0, end);
  if (keyword === 'COPY') return flags.flatMap((flag) => /^--from=(.+)$/.exec(flag)?.[1] ?? []);
  if (keyword !== 'RUN') return [];
  return flags.flatMap((flag) => /^--mount=(?:.*,)?from=([^,]+)/.exec(flag)?.[1] ?? []);
}

function declare(word: string, variables: Map<string, string>): void {
  const equals = word.indexOf('=');
  if (equals <= 0) return;
  variables.set(word.slice(0, equals), filled(word.slice(equals + 1), variables).name);
}

function filled(text: string, variables: ReadonlyMap<string, string>): Omit<BaseImage, 'line'> {
  let isKnown = true;
  const name = text
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\$(?:\{([A-Za-z_]\w*)(?::-([^}]*))?\}|([A-Za-z_]\w*))/g, (written, braced, byDefault, bare) => {
      const value = variables.get(braced ?? bare) ?? byDefault;
      if (value === undefined) isKnown = false;
      return value ?? written;
    });
  return { name, isKnown: isKnown && name !== '' };
}

/** With continued lines joined, and without comments and here-documents. */
function instructionsOf(text: string): Instruction[] {
  const mark = /^#\s*escape\s*=\s*`/im.test(text.split('\n', 3).join('\n')) ? '`' : '\\';
  const instructions: Instruction[] = [];
  let open: { text: string; line: number } | undefined;
  let ends: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (ends.length > 0) {
      if (line === ends[0]) ends = ends.slice(1);
      continue;
    }
    if (line.startsWith('#') || line === '') continue;
    const isContinued = line.endsWith(mark);
    const part = isContinued ? line.slice(0, -1) : line;
    open = { text: `${open?.text ?? ''}${part}`, line: open?.line ?? index + 1 };
    if (isContinued) continue;
    const [, keyword = '', content = ''] = /^(\w+)\s+(.*)$/.exec(open.text) ?? [];
    instructions.push({
      keyword: keyword.toUpperCase(),
      content: content.trim(),
      line: open.line,
      lastLine: index + 1,
    });
    if (/^(?:run|copy|add)$/i.test(keyword)) {
      ends = [...content.matchAll(/<<-?(["']?)([A-Za-z_]\w*)\1/g)].map((match) => match[2] ?? '');
    }
    open = undefined;
  }
  return instructions;
}
