import { checkUrl, type EgressSettings, type Refusal } from '@agentclash/egress';

/** The problems of an account's `base_url`, as messages for users. */
export const BASE_URL_PROBLEMS = {
  malformed: 'must be an absolute https URL such as https://models.example.com/v1',
  scheme:
    'must begin with https://, or with http:// for an address that OPERATOR_UNLOCK covers (of the machine of an embedded stack: agentclash up --allow-loopback-endpoints)',
  userinfo: 'must not hold a user name or password: put the key into a secret and name it as the credential',
  query: 'must not hold a query',
  fragment: 'must not hold a fragment',
  address:
    'names an address that this installation does not allow: see OPERATOR_UNLOCK (for the machine of an embedded stack: agentclash up --allow-loopback-endpoints)',
} as const;
export type BaseUrlProblem = keyof typeof BASE_URL_PROBLEMS;

const PROBLEM_OF_REFUSAL: Partial<Record<Refusal, BaseUrlProblem>> = {
  invalid_url: 'malformed',
  host: 'malformed',
  port: 'malformed',
  scheme: 'scheme',
  userinfo: 'userinfo',
};

/**
 * The problem of a `base_url`, or undefined when it may be saved. Names are not resolved here: their addresses are
 * checked at each call by the same rules.
 */
export async function baseUrlProblem(
  text: string,
  settings: EgressSettings,
): Promise<BaseUrlProblem | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text)) return 'scheme';
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'userinfo';
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  const verdict = await checkUrl(text, {
    policy: { kind: 'operator', plainHttp: 'unlocked' },
    settings,
    resolve: async () => [],
  });
  if (verdict.allowed) return undefined;
  if (verdict.reason !== 'dns_failed') return PROBLEM_OF_REFUSAL[verdict.reason] ?? 'address';
  return url.protocol === 'http:' && settings.operatorUnlock.length === 0 ? 'scheme' : undefined;
}
