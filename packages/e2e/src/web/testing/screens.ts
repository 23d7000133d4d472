import { type GateDecision, routes } from '@agentclash/api';
import type { WebWorld } from './web-world.js';

/** The address of every screen, with a run, an attempt and a version to show; each has something to say. */
export async function everyScreen(world: WebWorld, runId: string): Promise<string[]> {
  const params = { run_id: runId };
  const run = await world.client.call(routes.runs.get, { params });
  const { items: agents } = await world.client.call(routes.runs.agents, { params });
  const { items: attempts } = await world.client.call(routes.runs.attempts, { params });
  const { comparison_id } = await decided(world, runId);
  const [attempt, other] = attempts;
  const peer = attempts.find(({ case_key, id }) => case_key === attempt?.case_key && id !== attempt?.id);
  return [
    '/runs',
    '/runs/new',
    ...['', '/ranking', '/matrix', '/failures', '/gate', `/agents/${agents[0]?.id}`].map(
      (view) => `/runs/${runId}${view}`,
    ),
    `/attempts/${attempt?.id}?with=${peer?.id}`,
    `/attempts/${other?.id}?event=1`,
    `/attempts/${attempt?.id}/scorecard`,
    `/compare?baseline=${runId}&candidate=${runId}`,
    `/comparisons/${comparison_id}`,
    '/packs',
    '/packs/check',
    `/packs/${run.pack.slug}`,
    `/versions/${run.challenge_pack_version_id}`,
    ...[
      '/deployments',
      '/tools',
      '/profiles',
      '/models',
      '/secrets',
      '/tokens',
      '/gates',
      '/workspaces',
      '/health',
      '/no-such-screen',
    ],
  ];
}

/** A gate's decision on a run that is its own baseline. */
async function decided(world: WebWorld, runId: string): Promise<GateDecision> {
  await world.client.call(routes.baselines.set, { params: { name: 'default' }, body: { run_id: runId } });
  return await world.client.call(routes.gates.evaluate, {
    body: { baseline: 'default', candidate_run_id: runId },
  });
}

/** The address of every screen of the operator. */
export const OPERATOR_SCREENS: readonly string[] = [
  '/workspaces',
  '/workspaces/default/tokens',
  '/vault-keys',
  '/health',
];
