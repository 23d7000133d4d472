import { ContractError } from '@agentclash/contracts';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { IssuerKeys } from './issuer-keys.js';
import type { IssuerSettings } from './issuer-settings.js';

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
