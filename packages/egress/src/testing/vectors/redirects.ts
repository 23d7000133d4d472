import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { EgressRequest } from '../../client/request.js';
import type { Hop, Transport } from '../../client/transport.js';
import { createEgress } from '../../egress.js';
import { EgressError } from '../../guard/errors.js';

interface RedirectVector {
  id: string;
  request: {
    method: string;
    url: string;
    headers?: Record<string, string>;
    body?: string;
    secret_headers?: string[];
    secret_body?: boolean;
  };
  responses: { status: number; location?: string }[];
  network_allowlist?: string[];
  dns: Record<string, string[]>;
  expect: { requests: unknown[]; status?: number; error?: string; reason?: string };
}

function scripted(responses: RedirectVector['responses'], sent: Hop[]): Transport {
  const left = [...responses];
  return async (hop) => {
    sent.push(hop);
    const { status, location } = left.shift() ?? { status: 500 };
    return { status, headers: { location }, body: (async function* () {})(), close() {} };
  };
}

function requestOf({ request, network_allowlist: allowlist = [] }: RedirectVector): EgressRequest {
  const { method, url, headers = {}, body, secret_headers = [], secret_body = false } = request;
  const policy = { kind: 'pack', allowlist } as const;
  const sent = { method, url, headers, policy, secretHeaders: secret_headers, secretBody: secret_body };
  return body === undefined ? sent : { ...sent, body };
}

export const driver: VectorDriver<RedirectVector> = {
  async run(vector) {
    const sent: Hop[] = [];
    const egress = createEgress({
      resolve: async (name) => vector.dns[name] ?? [],
      transport: scripted(vector.responses, sent),
    });
    const outcome = await egress.request(requestOf(vector)).then(
      ({ status }) => ({ status }),
      (error: EgressError) => ({ error: error.code, ...(error.reason && { reason: error.reason }) }),
    );
    const requests = sent.map(({ method, url, headers, body }) => ({
      method,
      url: url.href,
      headers: headers.map(([name]) => name).sort(),
      body: body !== undefined,
    }));
    expect({ ...outcome, requests }).toEqual(vector.expect);
  },
};
