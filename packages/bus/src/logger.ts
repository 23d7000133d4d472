/** The part of a pino logger that the bus writes to. */
export interface BusLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The injection token of a service's logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('agentclash.logger');

export const SILENT: BusLogger = { warn: () => {}, error: () => {} };
