import type { BusLogFields } from '@agentclash/bus';
import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream } from 'pino';
import { activeLogFields, type WorkLogFields } from './log-fields.js';

/**
 * The fields of log lines: one key per fact, the same in all services, in snake_case. A key that is not declared here does
 * not compile. `service`, `trace_id` and `span_id` are on every line that has them.
 */
interface DeclaredLogFields extends BusLogFields, WorkLogFields {
  /** Null: the sender named none. */
  workspace_id: string | null;
  executor_id: string;
  account_id: string;
  webhook_id: string;
  /** Of a webhook. */
  delivery_id: string;
  message_id: string;
  master_key_id: string;
  master_key_ids: readonly string[];
  secret_ids: readonly string[];
  /** The number of the delivery of an attempt. */
  delivery: number;
  /** An HTTP request. The route is the pattern, not the address, which may hold a secret. */
  method: string;
  route: string;
  status: number | string;
  duration_ms: number;
  /** The name of the token. */
  caller: string;
  workspace_slug: string;
  /** The author of a change: a token's name, or the task of a service. */
  actor: string;
  /** The code of an error that is no exception. */
  code: string;
  problem: unknown;
  fix: string;
  reason: string;
  detail: string;
  /** A redacted failure of a model call. */
  failure: unknown;
  /** A service, where it is not the one that logs. */
  from_service: string;
  sequence: number;
  occurred_at: string;
  /** Nest's own lines: the class. */
  context: string;
  area: string;
  folder: string;
  sha256: string;
  sha256s: readonly string[];
  snapshot_sha256: string;
  health_port: number;
  metrics_port: number;
  repair: string;
  outcome: string;
  /** The purpose for which an attempt opens secrets. */
  work: string;
  secret_keys: readonly string[];
  secrets_count: number;
  is_at_work: boolean;
  /** A capability. */
  lack: unknown;
  attempts_max: number;
  audits_count: number;
  drafts_count: number;
  dropped: number;
  deleted: number;
  held: number;
  tries: number;
  judge_key: string;
  validator: string;
  provider: string;
  isolation: string;
}

export type LogFields = { readonly [K in keyof DeclaredLogFields]?: DeclaredLogFields[K] | undefined };
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Write = ((fields: LogFields, message: string) => void) & ((message: string) => void);
/** Messages are `subject verb object`, without values: those are fields. */
export type Logger = Readonly<Record<LogLevel, Write>>;

/**
 * One JSON object a line on `destination` (default standard output), with the service's name and the ids of the request, run,
 * attempt and trace that it belongs to.
 */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: activeLogFields,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Writes Nest's own log lines to the service's logger. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const base = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...base, err: message }, message.message);
    else if (typeof message === 'object' && message !== null)
      this.logger[level]({ ...base, problem: message }, 'framework logged an object');
    else this.logger[level](base, String(message));
  }
}
