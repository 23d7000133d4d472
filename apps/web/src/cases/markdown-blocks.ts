/** A piece of text within a line. */
export type Inline =
  | { is: 'text' | 'strong' | 'emphasis' | 'code'; text: string }
  | { is: 'link'; text: string; to: string };

export type Block =
  | { is: 'heading'; level: number; content: Inline[] }
  | { is: 'paragraph' | 'quote'; content: Inline[] }
  | { is: 'list'; isOrdered: boolean; items: Inline[][] }
  | { is: 'code'; text: string }
  | { is: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { is: 'rule' };

const FENCE = /^\s{0,3}(```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^\s*(?:([-*+])|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;

/** The first and the last line of JSON that is indented. */
const JSON_START = /^[[{]$/;
const JSON_END = /^[\]}]$/;
/** JSON in a single line: an object, or a list of objects or texts. A list of numbers may be a citation. */
const JSON_LINE = /^(?:\{"|\[[{"]).*[\]}]$/;
const DELIMITER = /^:?-+:?$/;
/** A table with more columns is shown as its text. */
const COLUMNS_MAX = 50;

/**
 * The blocks of a Markdown text, of the forms that task descriptions use, and JSON outside of fences, which prompts
 * have. What has none of them is a paragraph.
 */
export function markdownBlocks(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  const isJson = () => JSON_START.test(lines[at] ?? '') && /^(?:\s+\S|[\]}]$)/.test(lines[at + 1] ?? '');
  const isTable = () => columnsAt(lines, at) > 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const lineOfJson = jsonLine(line);
    const fence = FENCE.exec(line)?.[1];
    if (line.trim() === '') at += 1;
    else if (fence !== undefined) {
      at += 1;
      const code = take((other) => !other.trimStart().startsWith(fence));
      at += 1;
      blocks.push({ is: 'code', text: code.join('\n') });
    } else if (lineOfJson !== undefined) {
      at += 1;
      blocks.push({ is: 'code', text: lineOfJson });
    } else if (isJson()) {
      // A text that was cut may lack the end.
      const json = take((other) => other.trim() !== '' && !JSON_END.test(other));
      if (JSON_END.test(lines[at] ?? '')) json.push(lines[at++] ?? '');
      blocks.push({ is: 'code', text: json.join('\n') });
    } else if (isTable()) {
      const columns = columnsAt(lines, at);
      at += 2;
      const rows = take((other) => other.includes('|') && isParagraph(other));
      blocks.push({
        is: 'table',
        head: cellsOf(line).map(inlines),
        rows: rows.map((row) => rowOf(row, columns).map(inlines)),
      });
    } else if (HEADING.test(line)) {
      const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
      at += 1;
      blocks.push({ is: 'heading', level: marks.length, content: inlines(withoutMarks(title)) });
    } else if (RULE.test(line)) {
      at += 1;
      blocks.push({ is: 'rule' });
    } else if (ITEM.test(line)) {
      const isOrdered = ITEM.exec(line)?.[1] === undefined;
      const items = take((other) => ITEM.test(other) && !RULE.test(other));
      blocks.push({ is: 'list', isOrdered, items: items.map((item) => inlines(ITEM.exec(item)?.[2] ?? '')) });
    } else if (QUOTE.test(line)) {
      const quoted = take((other) => QUOTE.test(other));
      blocks.push({
        is: 'quote',
        content: inlines(quoted.map((each) => QUOTE.exec(each)?.[1] ?? '').join('\n')),
      });
    } else {
      const isText = (other: string) =>
        isParagraph(other) && jsonLine(other) === undefined && !isJson() && !isTable();
      blocks.push({ is: 'paragraph', content: inlines(take(isText).join('\n')) });
    }
  }
  return blocks;
}

/** The columns of the table that begins at a line; 0 where none does. */
function columnsAt(lines: readonly string[], at: number): number {
  const [head = '', delimiters = ''] = lines.slice(at, at + 2);
  if (!head.includes('|') || !delimiters.includes('-')) return 0;
  const [cells, below] = [cellsOf(head), cellsOf(delimiters)];
  const isTable = cells.length === below.length && below.every((cell) => DELIMITER.test(cell));
  return isTable && cells.length <= COLUMNS_MAX ? cells.length : 0;
}

function cellsOf(line: string): string[] {
  const row = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** The cells of a row: as many as the table has columns. */
function rowOf(line: string, columns: number): string[] {
  const cells = cellsOf(line).slice(0, columns);
  return [...cells, ...Array.from({ length: columns - cells.length }, () => '')];
}

/** JSON in a single line in its indented form; undefined for another line. */
function jsonLine(line: string): string | undefined {
  if (!JSON_LINE.test(line)) return undefined;
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return undefined;
  }
}

function isParagraph(line: string): boolean {
  return line.trim() !== '' && ![FENCE, HEADING, RULE, ITEM, QUOTE].some((form) => form.test(line));
}

/** A title without the marks at its end. */
function withoutMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return title.slice(0, end).trimEnd();
}

/** Links lead to http and https alone; an image is its description. Bounded: brackets may be many. */
const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!\[([^\]]{0,500})\]\([^)\s]{0,2000}\)|\[([^\]]{1,500})\]\((https?:\/\/[^)\s]{1,2000})\)/g;

function inlines(text: string): Inline[] {
  const found: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, image, link, to = ''] = match;
    if (match.index > end) found.push({ is: 'text', text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) found.push({ is: 'code', text: code });
    else if (strong !== undefined) found.push({ is: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ is: 'emphasis', text: emphasis });
    else if (link !== undefined) found.push({ is: 'link', text: link, to });
    else found.push({ is: 'text', text: image ?? whole });
  }
  if (end < text.length) found.push({ is: 'text', text: text.slice(end) });
  return found;
}
