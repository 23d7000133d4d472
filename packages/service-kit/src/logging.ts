import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import { activeLogFields } from './telemetry/log-fields.js';

export type Logger = PinoLogger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

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
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...base, ...message });
    else this.logger[level](base, String(message));
  }
}
