import { ROLES } from '@agentclash/api';
import { z } from 'zod';

/** What a claim must be: equal to this text, in which `*` stands for any; of a list, one entry. */
const ClaimPattern = z.union([z.string().min(1), z.boolean(), z.number()]);

/** Whom a rule lets into which workspace, and as what. All claims must match. */
const Rule = z.strictObject({
  claims: z.record(z.string().min(1), ClaimPattern).refine((claims) => Object.keys(claims).length > 0, {
    message: 'must name a claim: a rule without one would let in whoever the issuer knows',
  }),
  /** Its slug. */
  workspace: z.string().min(1),
  role: z.enum(ROLES),
});
export type Rule = z.infer<typeof Rule>;

/** Signatures by which only the issuer can sign: never `none`, never a shared secret. */
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

/** An issuer whose tokens are taken. */
export const IssuerSettings = z.strictObject({
  /** As its tokens say it, to the letter. */
  issuer: address,
  /** What its tokens must be for. */
  audience: z.string().min(1),
  /** Default: where the issuer's discovery document says. */
  jwks_url: address.optional(),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA']),
  /** The claim that names people in audit trails. */
  name_claim: z.string().min(1).default('email'),
  /** Whose tokens are let in as they are: people. */
  sign_in: z.array(Rule).default([]),
  /** Whose tokens may be exchanged for a short-lived token of ours: CI jobs. */
  exchange: z.array(Rule).default([]),
  /** How long an exchanged token lasts. */
  exchange_seconds: z.number().int().min(60).max(43_200).default(900),
});
export type IssuerSettings = z.infer<typeof IssuerSettings>;

/** A JSON list of issuers in a variable of the environment. */
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
