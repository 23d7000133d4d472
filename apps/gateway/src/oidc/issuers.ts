import { ContractError } from '@agentclash/contracts';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { IssuerKeys } from './issuer-keys.js';
import type { IssuerSettings } from './issuer-settings.js';

/** How far clocks may differ. */
const CLOCK_SKEW_SECONDS = 60;

/** A token that was verified: who issued it, and what it says. */
export interface Identity {
  settings: IssuerSettings;
  /** What is the same in every token of its holder, and in nobody else's. */
  subject: string;
  claims: JWTPayload;
  expiresAt: Date;
}

/** The issuers whose tokens this installation takes. */
export class Issuers {
  private readonly issuers: ReadonlyMap<string, { settings: IssuerSettings; keys: IssuerKeys }>;

  constructor(all: readonly IssuerSettings[]) {
    this.issuers = new Map(
      all.map((settings) => [settings.issuer, { settings, keys: new IssuerKeys(settings) }]),
    );
  }

  /**
   * Fails with `unauthenticated` for every token that is not for us, from one of ours, signed and in its time; with
   * `unavailable` while the issuer's keys cannot be had.
   */
  async verify(token: string): Promise<Identity> {
    const known = this.issuers.get(claimedIssuer(token) ?? '');
    if (known === undefined) throw refused('It is from no issuer that is trusted here.');
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

/** What the token says of itself: good for choosing the keys that it has to match, and for nothing else. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'It has expired.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Its claim "${error.claim}" is not as it must be.`;
  return 'Its signature is not that of its issuer.';
}

function refused(reason: string, cause?: unknown): ContractError {
  return new ContractError('unauthenticated', `The token is not accepted. ${reason}`, {}, { cause });
}
