import { ROLES } from '@agentclash/domain';
import { z } from 'zod';

/** The required value of a claim: equal to this text, in which `*` matches any text; of a list, one entry. */
const ClaimPattern = z.union([z.string().min(1), z.boolean(), z.number()]);

/** Grants a role in a workspace. All claims must match. */
const Rule = z.strictObject({
  claims: z.record(z.string().min(1), ClaimPattern).refine((claims) => Object.keys(claims).length > 0, {
    message: 'must name a claim: a rule without one would admit every account of the issuer',
  }),
  /** Its slug. */
  workspace: z.string().min(1),
  role: z.enum(ROLES),
});
export type Rule = z.infer<typeof Rule>;

/** Asymmetric signatures only: never `none`, never a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

const address = z.url().refine(isKeptPrivate, 'must be an https address; http only on this machine');

/** An issuer whose tokens are accepted. */
export const IssuerSettings = z.strictObject({
  /** The exact `iss` claim of its tokens. */
  issuer: address,
  /** The `aud` claim of its tokens. */
  audience: z.string().min(1),
  /** Default: from the issuer's discovery document. */
  jwks_url: address.optional(),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  /** The claim with the name for audit trails. */
  name_claim: z.string().min(1).default('email'),
  /** Rules for tokens that are used directly: people. */
  sign_in: z.array(Rule).default([]),
  /** Rules for tokens that may be exchanged for a short-lived token of this installation: CI jobs. */
  exchange: z.array(Rule).default([]),
  /** Lifetime of an exchanged token. */
  exchange_seconds: z.number().int().min(60).max(43_200).default(900),
});
export type IssuerSettings = z.infer<typeof IssuerSettings>;

/** An environment variable with a JSON list of issuers. */
export const issuersVariable = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON list of issuers' });
      return z.NEVER;
    }
  })
  .pipe(z.array(IssuerSettings));

function isKeptPrivate(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
  );
}
