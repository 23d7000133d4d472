import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import { fieldsOfNow } from './telemetry/log-fields.js';

export type Logger = PinoLogger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * One JSON object a line on `destination` (default standard output), with the service's name, and with the request, run,
 * attempt and trace that it is written for.
 */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: fieldsOfNow,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Carries Nest's own log lines into ours. */
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
