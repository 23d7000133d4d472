import { type GateDecision, routes } from '@agentclash/api';
import { isAuditActive } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import type { WebFixture } from './web-fixture.js';

/** The address of every screen, with a run, an attempt and a version to show; none is empty. */
export async function everyScreen(web: WebFixture, runId: string): Promise<string[]> {
  const params = { run_id: runId };
  const run = await web.client.call(routes.runs.get, { params });
  const { items: agents } = await web.client.call(routes.runs.agents, { params });
  const { items: attempts } = await web.client.call(routes.runs.attempts, { params });
  const { comparison_id } = await decided(web, runId);
  const [attempt, other] = attempts;
  const peer = attempts.find(({ case_key, id }) => case_key === attempt?.case_key && id !== attempt?.id);
  return [
    '/runs',
    '/runs/new',
    ...[
      '',
      '/arena',
      '/ranking',
      '/matrix',
      '/failures',
      '/search?q=the',
      '/gate',
      '/review',
      `/agents/${agents[0]?.id}`,
    ].map((view) => `/runs/${runId}${view}`),
    `/attempts/${attempt?.id}?with=${peer?.id}`,
    `/attempts/${other?.id}?event=1`,
    `/attempts/${attempt?.id}`,
    `/attempts/${attempt?.id}?tab=scores`,
    `/runs/${runId}/cases/${encodeURIComponent(attempt?.case_key ?? '')}`,
    `/compare?baseline=${runId}&candidate=${runId}`,
    `/comparisons/${comparison_id}`,
    '/reviews',
    ...(await reviewed(web, runId, agents.length)),
    '/packs',
    '/packs/check',
    '/packs/check/new',
    `/packs/${run.pack.slug}`,
    `/versions/${run.challenge_pack_version_id}`,
    `/deployments/${agents[0]?.deployment_id}`,
    ...[
      '/deployments',
      '/tools',
      '/profiles',
      '/models',
      '/secrets',
      '/tokens',
      '/webhooks',
      '/gates',
      '/workspaces',
      '/health',
      '/no-such-screen',
    ],
  ];
}

/** Waits for the end of an audit, so that the version and its rankings have a certificate with findings. */
export async function audited(web: WebFixture, version_id: string): Promise<void> {
  const params = { version_id };
  const { id: audit_id } = await web.client.call(routes.audits.create, { params, body: { quick: true } });
  const read = () => web.client.call(routes.audits.get, { params: { version_id, audit_id } });
  await waitFor(async () => !isAuditActive((await read()).status), { timeoutMs: 120_000, intervalMs: 200 });
}

/** A gate's decision on a run that is its own baseline. */
async function decided(web: WebFixture, runId: string): Promise<GateDecision> {
  await web.client.call(routes.baselines.set, { params: { name: 'default' }, body: { run_id: runId } });
  return await web.client.call(routes.gates.evaluate, {
    body: { baseline: 'default', candidate_run_id: runId },
  });
}

/** The addresses of a queue with one review, and of its agreement: of pairs, where the run has two agents. */
async function reviewed(web: WebFixture, run_id: string, agents: number): Promise<string[]> {
  const kind = agents > 1 ? 'pairwise' : 'single';
  const { id } = await web.client.call(routes.reviews.create, { body: { run_id, kind } });
  const params = { review_queue_id: id };
  const { item } = await web.client.call(routes.reviews.next, { params });
  const choice = kind === 'pairwise' ? { vote: 'left' as const } : { label: 'pass' as const };
  const body = { version: item?.version ?? '', ...choice };
  await web.client.call(routes.reviews.submit, { params: { ...params, item_id: item?.id ?? '' }, body });
  return [`/reviews/${id}`, `/reviews/${id}/agreement`];
}

/** The address of every screen of the operator. */
export const OPERATOR_SCREENS: readonly string[] = [
  '/workspaces',
  '/workspaces/default/tokens',
  '/vault-keys',
  '/health',
];
