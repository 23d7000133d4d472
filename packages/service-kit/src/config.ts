import { z } from 'zod';
import { LOG_LEVELS } from './telemetry/logging.js';

/** The environment is not valid for the service; the message lists every problem by variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Parses the environment once. Empty variables count as absent. Throws `ConfigError` with all problems at once. */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: Record<string, string | undefined>,
): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The environment is not complete:\n${problems.join('\n')}`);
}

/** Whole numbers from environment text. */
export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** `a,b , c` as a list; blanks around and empty entries are dropped. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** The variables of every service. */
export const serviceEnvironment = {
  NATS_URL: list.prefault('nats://127.0.0.1:4222'),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  /** Instead of user and password. */
  NATS_NKEY_SEED: z
    .string()
    .regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of a user nkey: SU and 56 letters and digits')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** Health endpoints; 0 takes a free port. */
  HEALTH_PORT: integer(0, 65_535).prefault('0'),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  /** Prometheus' `/metrics`; 0 takes a free port, without it nothing is measured. */
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
};

/** The additional variables of a service with a database. */
export const databaseEnvironment = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// url' }),
  DATABASE_CONNECTIONS_MAX: integer(1, 100).prefault('5'),
  /** Applies pending migrations at start; off where a job does that before the roll-out. */
  MIGRATE_ON_START: flag.prefault('true'),
};
