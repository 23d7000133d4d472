import { Readable } from 'node:stream';
import type { RowBatch, RowDelimiter, RowProblem } from '@agentclash/challengepack';
import { CsvError, type Info, parse } from 'csv-parse';
import { EncodingError, joined, textBytes } from './bytes.js';
import { Batching, ROW_BYTES_MAX, ROW_LIMIT, type RowOptions, type RowSource } from './row.js';

const DELIMITERS: Readonly<Record<RowDelimiter, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
};
/** Of the beginning of a file, in which the delimiter is looked for. */
const HEAD_BYTES = 65_536;
/** The character in where of bytes that are no UTF-8. */
const REPLACEMENT = '�';

interface CsvRecord {
  record: string[];
  info: Info;
}

/** A header and one record for each row; all values are text. */
export async function* readCsv(source: RowSource, { delimiter }: RowOptions): AsyncGenerator<RowBatch> {
  const batching = new Batching();
  const text = new CsvText(source);
  const dialect = await text.dialect(delimiter);
  const parser = parse({
    delimiter: dialect.delimiter,
    from_line: dialect.firstLine,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: ROW_BYTES_MAX,
  });
  const input = Readable.from(text.chunks());
  input.on('error', (error) => parser.destroy(error));
  let rows: CsvRows | undefined;
  try {
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<CsvRecord>) {
      // A line of blanks is an empty one.
      if (record.length === 1 && record[0]?.trim() === '') continue;
      if (rows === undefined) {
        const problems = headerProblems(record, text);
        if (problems.length > 0) {
          for (const problem of problems) batching.fail(problem);
          break;
        }
        rows = new CsvRows(record, text);
        yield { rows: [], problems: [], columns: rows.header };
      } else if (!rows.add({ record, line: info.lines }, batching)) break;
      yield* batching.full();
    }
    if (text.isEmpty) {
      batching.fail({ message: 'the file is empty, and its first line must name the columns' });
    }
  } catch (error) {
    batching.fail(problemOf(error));
  } finally {
    input.destroy();
    parser.destroy();
  }
  yield* batching.rest();
}

/** The text of a file, and whether it is UTF-8. */
class CsvText {
  isEmpty = true;
  /** True once bytes were found that are no UTF-8; they are the replacement character in the text. */
  isInvalid = false;
  readonly #bytes: AsyncGenerator<Uint8Array>;
  readonly #head: Uint8Array[] = [];

  constructor(source: RowSource) {
    this.#bytes = textBytes(source);
  }

  /** As authored, as a first line `sep=;` names it, or the most frequent one in the header. */
  async dialect(authored: RowDelimiter | undefined): Promise<{ delimiter: string; firstLine: number }> {
    const head = new TextDecoder().decode(await this.#readHead());
    this.isEmpty = head.trim() === '';
    const [, named] = /^sep=(.)\r?\n/.exec(head) ?? [];
    const firstLine = named === undefined ? 1 : 2;
    const delimiter = authored === undefined ? (named ?? mostFrequent(head)) : DELIMITERS[authored];
    return { delimiter, firstLine };
  }

  async *chunks(): AsyncGenerator<string> {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
    const decode = (bytes?: Uint8Array) => {
      try {
        if (!this.isInvalid) strict.decode(bytes, { stream: bytes !== undefined });
      } catch {
        this.isInvalid = true;
      }
      return lenient.decode(bytes, { stream: bytes !== undefined });
    };
    for (const chunk of this.#head.splice(0)) yield decode(chunk);
    for await (const chunk of this.#bytes) yield decode(chunk);
    yield decode();
  }

  async #readHead(): Promise<Uint8Array> {
    let length = 0;
    while (length < HEAD_BYTES) {
      const { value, done } = await this.#bytes.next();
      if (done) break;
      // The chunk may be used again by its reader.
      this.#head.push(value.slice());
      length += value.length;
    }
    return joined(this.#head);
  }
}

/** Programs that make tables leave empty columns behind them. */
function namedUpTo(header: readonly string[]): number {
  return header.findLastIndex((name) => name.trim() !== '') + 1;
}

/** The delimiter that the first line has most often outside of quotes; a comma where it has none. */
function mostFrequent(head: string): string {
  const [first = ''] = head
    .trimStart()
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1);
  const counts = Object.values(DELIMITERS).map((delimiter) => ({
    delimiter,
    count: first.split(delimiter).length,
  }));
  const most = Math.max(...counts.map(({ count }) => count));
  return counts.find(({ count }) => count === most)?.delimiter ?? ',';
}

function headerProblems(header: readonly string[], { isInvalid }: CsvText): RowProblem[] {
  const seen = new Set<string>();
  const length = namedUpTo(header);
  if (length === 0) return [{ message: 'the header names no column' }];
  return header.slice(0, length).flatMap((name, index): RowProblem[] => {
    const where = `column ${index + 1} of the header`;
    if (isInvalid && name.includes(REPLACEMENT)) return [{ message: `${where} ${NOT_UTF8}` }];
    if (name.includes('\0')) return [{ message: `${where} ${HOLDS_NUL}` }];
    if (name.trim() === '') return [{ message: `${where} has no name` }];
    if (seen.has(name)) return [{ column: name, message: `${where} has the name of an earlier one` }];
    seen.add(name);
    return [];
  });
}

const HOLDS_NUL = 'holds the character U+0000';
const NOT_UTF8 = 'is not UTF-8: save the file as UTF-8';

class CsvRows {
  /** Without the columns at its end that have no name. */
  readonly header: readonly string[];

  constructor(
    private readonly named: readonly string[],
    private readonly text: CsvText,
  ) {
    this.header = named.slice(0, namedUpTo(named));
  }

  /** False when nothing that follows can be read. */
  add({ record, line }: { record: string[]; line: number }, batching: Batching): boolean {
    const { header, named, text } = this;
    const isPadded = record.length === named.length;
    if (!isPadded && record.length !== header.length) {
      batching.skip({
        line,
        message: `has ${valuesOf(record.length)}, and the header names ${header.length} columns`,
      });
      return true;
    }
    const unnamed = record.slice(header.length).findIndex((value) => value.trim() !== '');
    if (unnamed >= 0) {
      batching.skip({
        line,
        message: `has a value in column ${header.length + unnamed + 1}, which the header does not name`,
      });
      return true;
    }
    let size = 0;
    for (const [index, value] of record.entries()) {
      size += value.length;
      const column = header[index] ?? '';
      if (text.isInvalid && value.includes(REPLACEMENT)) {
        batching.skip({ line, column, message: NOT_UTF8 });
        return false;
      }
      if (value.includes('\0')) {
        batching.skip({ line, column, message: HOLDS_NUL });
        return true;
      }
    }
    batching.add(Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])), size, line);
    return true;
  }
}

function valuesOf(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}

const SYNTAX: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed before the end of the file',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote: double the quotes inside of a value',
  INVALID_OPENING_QUOTE:
    'has a quote inside of a value: quote the whole value, and double the quotes inside of it',
  CSV_MAX_RECORD_SIZE: `has more than ${ROW_LIMIT}, or a quote that is not closed`,
};

function problemOf(error: unknown): RowProblem {
  if (error instanceof EncodingError) return { message: error.message };
  const message = error instanceof CsvError ? SYNTAX[error.code] : undefined;
  if (message === undefined) throw error;
  // The header is a record as well. What was read before may be lost with the error.
  const { records, lines } = error as CsvError & { records?: number; lines?: number };
  const row = Number(records);
  if (!(row > 0)) return { message: `the header ${message}` };
  return { row, ...(lines !== undefined && { line: lines }), message };
}
