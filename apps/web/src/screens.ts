import type { ComponentType } from 'react';
import type { Screen, ScreenRoute } from './navigation/screen-route.js';

type Code = { default: ComponentType<never> };

/** In the message of a failed import. */
const ADDRESS = /https?:\/\/\S+\.js/;

function screen(path: string, fetch: () => Promise<Code>): ScreenRoute {
  let failures = 0;
  let failed: string | undefined;
  // Chromium keeps the failure of an address, so that only another one is fetched again.
  const fetchAgain = (): Promise<Code> =>
    failed === undefined ? fetch() : import(/* @vite-ignore */ `${failed}?retry=${failures}`);
  const route: ScreenRoute = {
    path,
    load: async () => {
      try {
        route.Screen ??= (await fetchAgain()).default as Screen;
      } catch (error) {
        failures += 1;
        failed ??= ADDRESS.exec(String(error))?.[0];
        throw error;
      }
      return route.Screen;
    },
  };
  return route;
}

/** All screens by address, loaded on first use. The first match wins. */
export const SCREENS: readonly ScreenRoute[] = [
  screen('/runs', () => import('./runs/runs-screen.js')),
  screen('/runs/new', () => import('./runs/start-run-screen.js')),
  screen('/runs/:runId', () => import('./results/overview/overview-screen.js')),
  screen('/runs/:runId/arena', () => import('./arena/arena-screen.js')),
  screen('/runs/:runId/ranking', () => import('./results/ranking/ranking-screen.js')),
  screen('/runs/:runId/matrix', () => import('./results/matrix/matrix-screen.js')),
  screen('/runs/:runId/failures', () => import('./results/failures/failures-screen.js')),
  screen('/runs/:runId/search', () => import('./results/search/search-screen.js')),
  screen('/runs/:runId/gate', () => import('./gates/run-gate-screen.js')),
  screen('/runs/:runId/review', () => import('./reviews/run-review-screen.js')),
  screen('/runs/:runId/agents/:runAgentId', () => import('./results/scorecard/lane-screen.js')),
  screen('/runs/:runId/agents/:runAgentId/case', () => import('./results/case/case-redirect.js')),
  screen('/runs/:runId/cases/:caseKey', () => import('./results/case/case-screen.js')),
  screen('/attempts/:attemptId', () => import('./results/attempt/attempt-screen.js')),
  screen('/attempts/:attemptId/scorecard', () => import('./results/attempt/scorecard-redirect.js')),
  screen('/compare', () => import('./results/compare/compare-screen.js')),
  screen('/comparisons/:comparisonId', () => import('./results/compare/stored-comparison-screen.js')),
  screen('/gates', () => import('./gates/gates-screen.js')),
  screen('/reviews', () => import('./reviews/reviews-screen.js')),
  screen('/reviews/:queueId', () => import('./reviews/queue-screen.js')),
  screen('/reviews/:queueId/agreement', () => import('./reviews/agreement-screen.js')),
  screen('/packs', () => import('./packs/packs-screen.js')),
  screen('/packs/check/new', () => import('./packs/new/new-pack-screen.js')),
  screen('/packs/check', () => import('./packs/check/check-screen.js')),
  screen('/packs/:pack/changes', () => import('./packs/changes/changes-screen.js')),
  screen('/packs/:pack', () => import('./packs/pack-screen.js')),
  screen('/versions/:versionId', () => import('./packs/version/version-screen.js')),
  screen('/deployments', () => import('./resources/deployments-screen.js')),
  screen('/deployments/:deploymentId', () => import('./resources/deployment-screen.js')),
  screen('/tools', () => import('./resources/tools-screen.js')),
  screen('/profiles', () => import('./resources/profiles-screen.js')),
  screen('/models', () => import('./resources/models-screen.js')),
  screen('/secrets', () => import('./secrets/secrets-screen.js')),
  screen('/tokens', () => import('./tokens/tokens-screen.js')),
  screen('/webhooks', () => import('./webhooks/webhooks-screen.js')),
  screen('/workspaces', () => import('./installation/workspaces-screen.js')),
  screen('/workspaces/:workspace/tokens', () => import('./installation/workspace-tokens-screen.js')),
  screen('/vault-keys', () => import('./installation/vault-keys-screen.js')),
  screen('/health', () => import('./health/health-screen.js')),
];

/** The screen that an address shows. */
export function findScreen(address: string): ScreenRoute | undefined {
  return SCREENS.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address));
}
