import { ContractError } from '@agentclash/contracts';
import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import type { IssuerSettings } from '../issuer-settings.js';

const DISCOVERY_MS_MAX = 5_000;
const DISCOVERY_BYTES_MAX = 262_144;
/** Cached keys are reloaded after this time, and at once for an unknown key, but not more often than the cooldown. */
const KEYS_KEPT_MS = 600_000;
const KEYS_COOLDOWN_MS = 10_000;

const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** The public keys of one issuer, loaded at first use and cached. */
class IssuerKeys {
  private keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(private readonly settings: Pick<IssuerSettings, 'issuer' | 'jwks_url'>) {}

  /** Fails with `unavailable` when the issuer cannot be reached, and as `jose` does for a key that it does not have. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      const find = await this.load();
      return await find(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause;
      if (cause instanceof errors.JOSENotSupported) throw cause;
      throw new ContractError(
        'unavailable',
        'The issuer of the token is unreachable. Try again shortly.',
        {},
        { cause },
      );
    }
  };

  private async load(): Promise<JWTVerifyGetKey> {
    this.keys ??= this.locate();
    try {
      return await this.keys;
    } catch (error) {
      this.keys = undefined;
      throw error;
    }
  }

  private async locate(): Promise<JWTVerifyGetKey> {
    const url = this.settings.jwks_url ?? (await this.discovered());
    return createRemoteJWKSet(new URL(url), {
      cacheMaxAge: KEYS_KEPT_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: DISCOVERY_MS_MAX,
    });
  }

  /** OpenID Connect Discovery 1.0, section 4: the document must be of exactly this issuer. */
  private async discovered(): Promise<string> {
    const { issuer } = this.settings;
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(DISCOVERY_MS_MAX),
    });
    if (!response.ok) throw new Error(`the discovery document of ${issuer} has status ${response.status}`);
    const text = await response.text();
    if (text.length > DISCOVERY_BYTES_MAX)
      throw new Error(`the discovery document of ${issuer} is too large`);
    const found = Discovery.parse(JSON.parse(text));
    if (found.issuer !== issuer) throw new Error(`${issuer} describes itself as ${found.issuer}`);
    return found.jwks_uri;
  }
}

/** Tolerated clock skew. */
const CLOCK_SKEW_SECONDS = 60;

/** A verified token: its issuer and its claims. */
export interface Identity {
  settings: IssuerSettings;
  /** Unique to the holder of the token, and equal in all of the holder's tokens. */
  subject: string;
  claims: JWTPayload;
  expiresAt: Date;
}

/** The issuers whose tokens this installation accepts. */
export class Issuers {
  private readonly issuers: ReadonlyMap<string, { settings: IssuerSettings; keys: IssuerKeys }>;

  constructor(all: readonly IssuerSettings[]) {
    this.issuers = new Map(
      all.map((settings) => [settings.issuer, { settings, keys: new IssuerKeys(settings) }]),
    );
  }

  /**
   * Fails with `unauthenticated` for every token that is not for this installation, of a known issuer, signed and
   * within its lifetime; with `unavailable` while the issuer's keys cannot be loaded.
   */
  async verify(token: string): Promise<Identity> {
    const known = this.issuers.get(claimedIssuer(token) ?? '');
    if (known === undefined) throw refused('Its issuer is not trusted here.');
    const { settings, keys } = known;
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        issuer: settings.issuer,
        audience: settings.audience,
        algorithms: [...settings.algorithms],
        clockTolerance: CLOCK_SKEW_SECONDS,
        requiredClaims: ['sub', 'exp'],
      });
      const { sub = '', exp = 0 } = payload;
      return {
        settings,
        subject: JSON.stringify([settings.issuer, sub]),
        claims: payload,
        expiresAt: new Date(exp * 1_000),
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused(reasonOf(error), error);
      throw error;
    }
  }
}

/** The unverified issuer of a token, which only selects the keys that must verify it. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'It has expired.';
  if (error instanceof errors.JWTClaimValidationFailed) return `Its claim "${error.claim}" is not valid.`;
  return 'Its signature is not valid for its issuer.';
}

function refused(reason: string, cause?: unknown): ContractError {
  return new ContractError('unauthenticated', `The token is not accepted. ${reason}`, {}, { cause });
}
