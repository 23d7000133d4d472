/** One record of a CSV text; the cells as written, quotes resolved. */
export type CsvRow = readonly string[];

/**
 * Reads RFC 4180 text with the given one-character delimiter; lines end in CRLF or LF, empty ones are skipped.
 * Null for a quote that is open at the end, inside an unquoted cell, or followed by more text.
 */
export function readCsv(text: string, delimiter: string): CsvRow[] | null {
  const reader = new CellReader(text, delimiter);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  while (!reader.isAtEnd) {
    const isQuoted = reader.isAtQuote;
    const cell = reader.cell();
    if (cell === null) return null;
    cells.push(cell);
    if (reader.tookDelimiter()) {
      if (!reader.isAtLineEnd) continue;
      cells.push('');
    }
    reader.takeLineEnd();
    const isEmptyLine = cells.length === 1 && cell === '' && !isQuoted;
    if (!isEmptyLine) rows.push(cells);
    cells = [];
  }
  return rows;
}

/** Goes through the text cell by cell. */
class CellReader {
  readonly #text: string;
  readonly #delimiter: string;
  #at = 0;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get isAtQuote(): boolean {
    return this.#text[this.#at] === '"';
  }

  /** True when the line is over here; the end of the text ends it too. */
  get isAtLineEnd(): boolean {
    return this.isAtEnd || this.#lineEndLength() > 0;
  }

  /** The cell that begins here; null when its quotes are wrong. */
  cell(): string | null {
    return this.isAtQuote ? this.#quotedCell() : this.#bareCell();
  }

  tookDelimiter(): boolean {
    if (!this.#text.startsWith(this.#delimiter, this.#at)) return false;
    this.#at += this.#delimiter.length;
    return true;
  }

  takeLineEnd(): void {
    this.#at += this.#lineEndLength();
  }

  #bareCell(): string | null {
    const start = this.#at;
    while (!this.isAtLineEnd && !this.#text.startsWith(this.#delimiter, this.#at)) {
      if (this.isAtQuote) return null;
      this.#at += 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #quotedCell(): string | null {
    const start = this.#at + 1;
    let quote = this.#text.indexOf('"', start);
    while (quote !== -1 && this.#text[quote + 1] === '"') quote = this.#text.indexOf('"', quote + 2);
    if (quote === -1) return null;
    this.#at = quote + 1;
    const isClosed = this.isAtLineEnd || this.#text.startsWith(this.#delimiter, this.#at);
    return isClosed ? this.#text.slice(start, quote).replaceAll('""', '"') : null;
  }

  #lineEndLength(): number {
    const unit = this.#text[this.#at];
    if (unit === '\n') return 1;
    return unit === '\r' && this.#text[this.#at + 1] === '\n' ? 2 : 0;
  }
}
