import fs from 'node:fs';
import { promisify } from 'node:util';
import {
  type AttemptRecord,
  type CaseRecord,
  type EndRecord,
  type EventsRecord,
  RESULTS_FORMAT,
  type RunRecord,
} from './records.js';

const [open, read, close] = [promisify(fs.open), promisify(fs.read), promisify(fs.close)];

/** The position of a line in the file. */
interface Position {
  at: number;
  bytes: number;
}

/** A finished attempt of the file; its record is read when it is needed. */
export interface IndexedAttempt {
  id: string;
  ordinal: number;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  outcome: string | null;
  position: Position;
}

const CHUNK_BYTES = 1_048_576;
const NEWLINE = 0x0a;
/** Enough for the members by which a line of events is indexed. */
const HEAD_BYTES = 160;
const EVENTS_HEAD = /^\{"record":"events","attempt_id":"([^"]+)","delivery":(\d+),/;

const NO_RECORD =
  'no record of results. The file is damaged, or no file of results: open a copy of it, or run the pack again';

/** A file that is no file of results, or one that this release cannot read. */
export class ResultsFileError extends Error {
  override readonly name = 'ResultsFileError';
}

/** The results of a run in a file: an index in memory, everything else is read when it is needed. */
export class ResultsFile {
  /** In the order of work. */
  attempts: IndexedAttempt[] = [];
  readonly #byId = new Map<string, IndexedAttempt>();
  /** One that a continued run ran again replaces the one of before. */
  readonly #byOrdinal = new Map<number, IndexedAttempt>();
  readonly #cases = new Map<string, Position>();
  /** By attempt and delivery. */
  readonly #events = new Map<string, Position[]>();
  /** All lines of events in their order, of attempts and of the run. */
  readonly #eventLines: Position[] = [];
  #start: RunRecord | undefined;
  #end: EndRecord | undefined;
  /** Where the last complete line ends. */
  #bytes = 0;

  private constructor(
    private readonly file: string,
    /** A number: a `FileHandle` that a short command leaves open is reported as a defect of the program. */
    private readonly fd: number,
  ) {}

  /** Fails as the file system does, and with `ResultsFileError`. */
  static async open(file: string): Promise<ResultsFile> {
    const results = new ResultsFile(file, await open(file, 'r'));
    try {
      await results.index();
      if (results.#start === undefined) throw new ResultsFileError(`${file} holds no results`);
      results.attempts = [...results.#byOrdinal.values()].sort((a, b) => a.ordinal - b.ordinal);
      return results;
    } catch (error) {
      await results.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await close(this.fd);
  }

  get start(): RunRecord {
    if (this.#start === undefined) throw new TypeError('the file has no start');
    return this.#start;
  }

  /** Undefined for a run that did not come to its end. */
  get end(): EndRecord | undefined {
    return this.#end;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(attemptId: string): IndexedAttempt | undefined {
    return this.#byId.get(attemptId);
  }

  async attempt({ position }: IndexedAttempt): Promise<AttemptRecord> {
    return (await this.read(position)) as AttemptRecord;
  }

  async case(key: string): Promise<CaseRecord['case'] | undefined> {
    const position = this.#cases.get(key);
    return position && ((await this.read(position)) as CaseRecord).case;
  }

  /** The events of one delivery, in order. */
  async events(attemptId: string, delivery: number): Promise<EventsRecord['items']> {
    const positions = this.#events.get(`${attemptId} ${delivery}`) ?? [];
    const records = await Promise.all(positions.map((position) => this.read(position)));
    return (records as EventsRecord[]).flatMap(({ items }) => items);
  }

  /** All events of the run, in the order in which they were written. */
  async *allEvents(): AsyncGenerator<EventsRecord['items'][number]> {
    for (const position of this.#eventLines) {
      const record = (await this.read(position)) as
        | EventsRecord
        | { record: 'run_event'; event: EventsRecord['items'][number] };
      if (record.record === 'events') yield* record.items;
      else yield record.event;
    }
  }

  private async read({ at, bytes }: Position): Promise<unknown> {
    const buffer = Buffer.allocUnsafe(bytes);
    await read(this.fd, buffer, 0, bytes, at);
    return JSON.parse(buffer.toString());
  }

  private async index(): Promise<void> {
    let rest = Buffer.alloc(0);
    let line = 0;
    for (let at = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await read(this.fd, chunk, 0, CHUNK_BYTES, at + rest.length);
      if (bytesRead === 0) return;
      const buffer = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, from)) {
        line += 1;
        this.indexLine(buffer.subarray(from, end), { line, at: at + from, bytes: end - from });
        from = end + 1;
        this.#bytes = at + from;
      }
      rest = buffer.subarray(from);
      at += from;
    }
  }

  private indexLine(line: Buffer, { line: number, ...position }: Position & { line: number }): void {
    const [, attemptId, delivery] = EVENTS_HEAD.exec(line.subarray(0, HEAD_BYTES).toString('latin1')) ?? [];
    if (attemptId !== undefined) {
      const key = `${attemptId} ${delivery}`;
      const known = this.#events.get(key);
      if (known === undefined) this.#events.set(key, [position]);
      else known.push(position);
      this.#eventLines.push(position);
      return;
    }
    const record = recordIn(line);
    if (record === undefined) throw new ResultsFileError(`${this.file}, line ${number}: ${NO_RECORD}`);
    if (this.#start === undefined) this.#start = this.startOf(record);
    else if (record.record === 'attempt') this.add(record as unknown as AttemptRecord, position);
    else if (record.record === 'case')
      this.#cases.set((record as unknown as CaseRecord).case.case_key, position);
    else if (record.record === 'run_event') this.#eventLines.push(position);
    else if (record.record === 'end') this.#end = record as unknown as EndRecord;
  }

  private startOf(record: object): RunRecord {
    const { record: kind, format } = record as Partial<RunRecord>;
    if (kind === 'run' && format === RESULTS_FORMAT) return record as RunRecord;
    const found =
      typeof format === 'string' ? `it is of the format ${format}` : 'its first line names no format';
    throw new ResultsFileError(`${this.file} is no file of results that this release reads: ${found}`);
  }

  private add({ ordinal, attempt }: AttemptRecord, position: Position): void {
    const { id, run_agent_id: runAgentId, case_key: caseKey, repetition, outcome } = attempt;
    const indexed = { id, ordinal, runAgentId, caseKey, repetition, outcome, position };
    this.#byOrdinal.set(ordinal, indexed);
    this.#byId.set(id, indexed);
  }
}

/** Undefined for a line that is none. */
function recordIn(line: Buffer): { record?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
