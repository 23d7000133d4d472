import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { DEFAULT_EGRESS_SETTINGS } from '../../guard/policy.js';
import { checkUrl, type UrlViolation } from '../../guard/url-check.js';

interface AddressVector {
  id: string;
  url: string;
  dns?: Record<string, string[]>;
  network_allowlist?: string[];
  settings?: {
    policy?: 'operator';
    EGRESS_PRIVATE?: 'never';
    EGRESS_DENY?: string[];
    EGRESS_PORTS?: number[];
    OPERATOR_UNLOCK?: string[];
  };
  expect:
    | { allowed: true; host: string; port: number; pinned: string[] }
    | { allowed: false; reason: UrlViolation };
}

export const driver: VectorDriver<AddressVector> = {
  async run(vector) {
    const { settings = {}, dns = {}, network_allowlist: allowlist = [] } = vector;
    const verdict = await checkUrl(vector.url, {
      policy: settings.policy === 'operator' ? { kind: 'operator' } : { kind: 'pack', allowlist },
      settings: {
        privateUnlock: settings.EGRESS_PRIVATE ?? DEFAULT_EGRESS_SETTINGS.privateUnlock,
        deny: settings.EGRESS_DENY ?? [],
        ports: settings.EGRESS_PORTS ?? 'any',
        operatorUnlock: settings.OPERATOR_UNLOCK ?? [],
      },
      resolve: async (name) => dns[name] ?? [],
    });
    expect(verdict).toMatchObject(vector.expect);
  },
};
