/** A piece of text within a line. */
export type Inline =
  | { is: 'text' | 'strong' | 'emphasis' | 'code'; text: string }
  | { is: 'link'; text: string; to: string };

export type Block =
  | { is: 'heading'; level: number; content: Inline[] }
  | { is: 'paragraph' | 'quote'; content: Inline[] }
  | { is: 'list'; isOrdered: boolean; items: Inline[][] }
  | { is: 'code'; text: string }
  | { is: 'rule' };

const FENCE = /^\s{0,3}(```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^\s*(?:([-*+])|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;

/** The blocks of a Markdown text, of the forms that task descriptions use. What has none of them is a paragraph. */
export function markdownBlocks(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && fits(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (line.trim() === '') at += 1;
    else if (fence !== undefined) {
      at += 1;
      const code = take((other) => !other.trimStart().startsWith(fence));
      at += 1;
      blocks.push({ is: 'code', text: code.join('\n') });
    } else if (HEADING.test(line)) {
      const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
      at += 1;
      blocks.push({ is: 'heading', level: marks.length, content: inlines(title) });
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
      blocks.push({ is: 'paragraph', content: inlines(take(isParagraph).join('\n')) });
    }
  }
  return blocks;
}

function isParagraph(line: string): boolean {
  return line.trim() !== '' && ![FENCE, HEADING, RULE, ITEM, QUOTE].some((form) => form.test(line));
}

/** Links lead to http and https alone; an image is its description. */
const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!\[([^\]]*)\]\([^)\s]*\)|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g;

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
