import { waitFor } from '@agentclash/testkit';
import type { ApiDriver, ApiRequest, ApiResponse } from './api-driver.js';

const YAML = { 'content-type': 'application/yaml' };
const SOLUTION = /^ {4}solution: .*$/m;
/** Longer than the test: the audit is under way until it is cancelled. */
const SLOW = '    solution: {steps: [{message: Lima, delay_ms: 200000}]}';

interface AuditCalls {
  /** Creates with a key, and with it again. */
  creates: (id: string, request: ApiRequest) => Promise<ApiResponse>;
  pack: string;
  /** Of the pack as it is, published. */
  version_id: string;
}

/** Gets every response that the routes of audits declare, but errors of requests. */
export async function callAudits(api: ApiDriver, { creates, pack, version_id }: AuditCalls): Promise<void> {
  const body = pack.replace('slug: capital-cities', 'slug: slow-to-solve').replace(SOLUTION, SLOW);
  const slow = await api.expect(201, 'packs_publish', { body, headers: YAML });
  const params = { version_id: slow.body.challenge_pack_version_id };
  const options = { quick: true };
  const { id: audit_id } = (await creates('audits_create', { params, body: options })).body;
  const again = await api.expect(200, 'audits_create', { params, body: options });
  if (again.body.id !== audit_id) throw new Error('the same audit was created twice');
  await api.expect(409, 'audits_create', { params, body: { quick: false } });
  await api.expect(200, 'audits_list', { params });
  await api.expect(200, 'audits_cancel', { params: { ...params, audit_id } });

  const quick = { version_id };
  const created = await api.expect(201, 'audits_create', { params: quick, body: { quick: true } });
  const audit = { ...quick, audit_id: created.body.id };
  await waitFor(
    async () => (await api.expect(200, 'audits_get', { params: audit })).body.status === 'completed',
    { timeoutMs: 60_000 },
  );
  await api.expect(409, 'audits_cancel', { params: audit });
  await api.expect(200, 'auditPolicy_set', { body: { require_audit: false } });
  await api.expect(200, 'auditPolicy_get');
}
