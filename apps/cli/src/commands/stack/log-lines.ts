import { oneLine } from '../../terminal/printable.js';

/** The levels of log records, in ascending order. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Which records are shown. */
export interface LogFilter {
  service?: string;
  /** The lowest level that is shown. */
  level?: LogLevel;
}

/** A record as people read it, and as the service wrote it. */
export interface LogRecord {
  time?: string;
  level?: string;
  service?: string;
  text: string;
  document: unknown;
}

/** Numbers of levels are tens: `trace` is 10. */
const LEVEL_STEP = 10;
/** A record beyond it is shown in part; bounds the memory for a file that is no log. */
const LINE_LENGTH_MAX = 1024 * 1024;

/** Reads a log of services as its bytes come: one JSON document per line, between lines of other programs. */
export class LogLines {
  private readonly decoder = new TextDecoder();
  private pending = '';
  private isSkipping: boolean;

  constructor(
    private readonly filter: LogFilter,
    /** The first line begins before the first byte, and is not shown. */
    { isCut }: { isCut: boolean },
  ) {
    this.isSkipping = isCut;
  }

  read(chunk: Uint8Array): LogRecord[] {
    const lines = (this.pending + this.decoder.decode(chunk, { stream: true })).split('\n');
    this.pending = (lines.pop() ?? '').slice(0, LINE_LENGTH_MAX);
    if (this.isSkipping && lines.length > 0) {
      lines.shift();
      this.isSkipping = false;
    }
    return lines.flatMap((line) => this.recordOf(line));
  }

  /** The last line, where it does not end with a line feed. */
  rest(): LogRecord[] {
    return this.isSkipping ? [] : this.recordOf(this.pending);
  }

  private recordOf(line: string): LogRecord[] {
    if (line.trim() === '') return [];
    const record = recordIn(line);
    const { service, level } = this.filter;
    if (service !== undefined && record.service !== service) return [];
    // Lines of other programs have no level: they are shown unless a level is given.
    if (level !== undefined && rankOf(record.level) < rankOf(level)) return [];
    return [record];
  }
}

function rankOf(level: string | undefined): number {
  return LOG_LEVELS.indexOf(level as LogLevel);
}

function recordIn(line: string): LogRecord {
  const document = objectIn(line);
  if (document === undefined) return { text: oneLine(line), document: { msg: line } };
  const { time, level, service, msg, ...more } = document;
  const details = Object.entries(more).map(([name, value]) => `${name}=${valueText(value)}`);
  return {
    ...(typeof time === 'string' && { time: oneLine(time) }),
    ...(typeof level === 'number' && { level: LOG_LEVELS[level / LEVEL_STEP - 1] ?? String(level) }),
    ...(typeof service === 'string' && { service: oneLine(service) }),
    text: oneLine([typeof msg === 'string' ? msg : '', ...details].filter((part) => part !== '').join(' ')),
    document,
  };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
}
