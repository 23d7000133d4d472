import { type EgressSettings, judgeUrl, type Refusal } from '@agentclash/egress';

/** What is wrong with an account's `base_url`, as sentences for people. */
export const BASE_URL_FAULTS = {
  malformed: 'must be an absolute https URL such as https://models.example.com/v1',
  scheme: 'must begin with https://, or with http:// for an address that OPERATOR_UNLOCK covers',
  userinfo: 'must not hold a user name or password: put the key into a secret and name it as the credential',
  query: 'must not hold a query',
  fragment: 'must not hold a fragment',
  address: 'names an address that this installation does not let providers use; see OPERATOR_UNLOCK',
} as const;
export type BaseUrlFault = keyof typeof BASE_URL_FAULTS;

const FAULT_OF_REFUSAL: Partial<Record<Refusal, BaseUrlFault>> = {
  invalid_url: 'malformed',
  host: 'malformed',
  port: 'malformed',
  scheme: 'scheme',
  userinfo: 'userinfo',
};

/**
 * Whether a `base_url` may be saved. Nothing is looked up: what a name stands for is judged at each call, by the same
 * rules.
 */
export async function baseUrlFault(
  text: string,
  settings: EgressSettings,
): Promise<BaseUrlFault | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text)) return 'scheme';
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'userinfo';
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  const verdict = await judgeUrl(text, {
    policy: { kind: 'operator', plainHttp: 'unlocked' },
    settings,
    resolve: async () => [],
  });
  if (verdict.allowed) return undefined;
  if (verdict.reason !== 'dns_failed') return FAULT_OF_REFUSAL[verdict.reason] ?? 'address';
  return url.protocol === 'http:' && settings.operatorUnlock.length === 0 ? 'scheme' : undefined;
}
