import { randomBytes } from 'node:crypto';
import { CallError } from './call-error.js';

/** About 2,000 tokens. */
const PAGE_CHARACTERS = 8_000;
/** Texts that can be read on; the oldest is dropped for the next. */
const TEXTS_MAX = 32;

/** Long replies of tools, a page at a time. */
export class Pages {
  private readonly texts = new Map<string, readonly string[]>();

  /** The first page, with the cursor of the next one where there is more. */
  first(text: string): string {
    const pages = pagesOf(text);
    if (pages.length === 1) return text;
    const key = randomBytes(6).toString('hex');
    this.texts.set(key, pages);
    const [oldest] = this.texts.keys();
    if (this.texts.size > TEXTS_MAX && oldest !== undefined) this.texts.delete(oldest);
    return this.page(key, pages, 0);
  }

  at(cursor: string): string {
    const [, key = '', number = ''] = /^([0-9a-f]{12})-(\d{1,4})$/.exec(cursor) ?? [];
    const pages = this.texts.get(key);
    const index = Number(number) - 1;
    if (pages?.[index] !== undefined) return this.page(key, pages, index);
    throw new CallError(`There is no page ${cursor}`, [
      `The last ${TEXTS_MAX} long replies are kept. Call the tool of that reply again, for less.`,
    ]);
  }

  private page(key: string, pages: readonly string[], index: number): string {
    const next = index + 2;
    const rest = next > pages.length ? 'the last' : `the next: more {"cursor": "${key}-${next}"}`;
    return `${pages[index]}\n[page ${index + 1} of ${pages.length}; ${rest}]`;
  }
}

/** Cut at the ends of lines, and within longer ones. */
function pagesOf(text: string): string[] {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > PAGE_CHARACTERS) {
    const newline = rest.lastIndexOf('\n', PAGE_CHARACTERS);
    const end = newline > PAGE_CHARACTERS / 2 ? newline : wholeCharacters(rest);
    pages.push(rest.slice(0, end));
    rest = rest.slice(newline === end ? end + 1 : end);
  }
  return [...pages, rest];
}

/** A pair of surrogates stays together. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(PAGE_CHARACTERS - 1);
  return last >= 0xd800 && last < 0xdc00 ? PAGE_CHARACTERS - 1 : PAGE_CHARACTERS;
}
