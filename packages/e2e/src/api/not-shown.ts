/**
 * Responses that tests of the gateway show: they take an issuer, an upload of 100 MiB, a used-up rate or unavailable
 * services.
 */
export const SHOWN_ELSEWHERE = [
  /^tokens_exchange (200|403)$/,
  /^artifacts_upload 413$/,
  /^service_readiness 503$/,
  / 429$/,
  / 503$/,
  // A key that nothing is wrapped by can always go; the vault's own tests have secrets under two keys.
  /^vaultKeys_retire 409$/,
  // Turns and phases of conversations have tests of their own, with a person in them.
  /^attempts_answer 202$/,
  /^attempts_requestPhase (202|409)$/,
  // An output of an item is being run again: the tests of scoring show it, which decide when it ends.
  /^reviews_(next|item|output) 409$/,
];

/** The credentials of routes that take no token, with values that do not exist. */
export const CREDENTIALS: Readonly<Record<string, object>> = {
  tokens_exchange: { subject_token: 'a.b.c' },
  sessions_open: { code: 'of-none' },
};
