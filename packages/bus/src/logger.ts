/** The log fields of the bus. */
export interface BusLogFields {
  err?: unknown;
  subject?: string | undefined;
  durable?: string;
  deliveries?: number;
  bytes?: number;
  bytes_max?: number;
  /** Problems of an invalid message. */
  errors?: unknown;
}

/** The part of a service's logger that the bus writes to. */
export interface BusLogger {
  warn(fields: BusLogFields, message: string): void;
  error(fields: BusLogFields, message: string): void;
}

/** The injection token of a service's logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('agentclash.logger');

export const SILENT: BusLogger = { warn: () => {}, error: () => {} };
