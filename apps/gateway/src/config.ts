import path from 'node:path';
import {
  BlobEnvironment,
  databaseEnvironment,
  integer,
  list,
  readConfig,
  serviceEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';
import { issuersVariable } from './issuer-settings.js';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex');
const key = z.base64().refine((text) => Buffer.from(text, 'base64').length >= 32, 'must be 32 bytes or more');

/** The environment variables of the service. */
export const Environment = BlobEnvironment.and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    HTTP_HOST: z.string().default('127.0.0.1'),
    /** 0 takes a free port. */
    HTTP_PORT: integer(0, 65_535).prefault('0'),
    /** Slug of the workspace that is created at start. */
    BOOTSTRAP_WORKSPACE: z.string().default('default'),
    /** Hash of an admin token of that workspace. */
    BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256.optional(),
    /** Hash of the operator's token, which may create workspaces; without it there is no operator. */
    OPERATOR_TOKEN_SHA256: sha256.optional(),
    /** Signs URLs of stored files, base64; all gateways of an installation share it. Default: one of this process. */
    URL_SIGNING_KEY: key.optional(),
    URL_LIFETIME_SECONDS: integer(1, 86_400).prefault('300'),
    /** Days for which a link to a run may be valid; 0: there are no links. */
    SHARE_DAYS_MAX: integer(0, 3_650).prefault('90'),
    /** Issuers whose tokens are accepted, as a JSON list: see docs/api.md. */
    OIDC_ISSUERS: issuersVariable.prefault('[]'),
    /** Requests a minute of one token, a sixth of it at once; 0 for no limit. */
    RATE_LIMIT: integer(0, 10_000_000).prefault('60000'),
    /** The same limit for starting runs. */
    RUN_RATE_LIMIT: integer(0, 1_000_000).prefault('1200'),
    /** Requests a minute with an invalid token from one address, a sixth of it at once; 0 for no limit. */
    INVALID_TOKEN_RATE_LIMIT: integer(0, 1_000_000).prefault('600'),
    /** Open connections; further ones are closed at once. */
    CONNECTIONS_MAX: integer(1, 1_000_000).prefault('4096'),
    /** Concurrently read request bodies of one token. */
    BODIES_MAX: integer(1, 100_000).prefault('32'),
    /** Time for the whole body of a request to arrive, uploads excepted. */
    BODY_SECONDS_MAX: integer(1, 900).prefault('30'),
    /** Interval at which the token of an open event stream is checked again. */
    STREAM_CHECK_SECONDS: integer(1, 3_600).prefault('15'),
    /** Concurrently open event streams of one token. */
    STREAMS_MAX: integer(1, 100_000).prefault('100'),
    /** Origins whose pages may call the API; none by default. */
    CORS_ORIGINS: list.prefault(''),
    /** Folder of the built web app; without one the gateway serves the API alone. Default: that of this repository. */
    WEB_FOLDER: z.string().default(path.resolve(import.meta.dirname, '../../web/dist')),
  }),
);
export type Config = z.infer<typeof Environment>;

/** The injection token of the configuration. */
export const CONFIG = Symbol('gateway configuration');

/** Throws `ConfigError` when the environment is not complete. */
export function gatewayConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
