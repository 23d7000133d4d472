import { lastingWorkloadsOf, type Probe } from '../manifests/manifest.js';
import type { Policy } from './policy.js';

/** How long a service waits for its bus to come up. */
const START_SECONDS_MIN = 120;
/** A long collection of garbage, or a node that is busy for a moment, is no death. */
const SILENT_SECONDS_MIN = 30;
const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

export const PROBING = {
  'whatever lasts has all probes': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers.flatMap((container) =>
        PROBES.filter((probe) => container[probe] === undefined).map((probe) => `${name}: no ${probe}`),
      ),
    ),
  'services are asked for their life and their readiness, each at its own door': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod: { containers } }) =>
        containers
          .filter(
            ({ startupProbe, livenessProbe, readinessProbe }) =>
              startupProbe?.httpGet?.path !== '/healthz' ||
              livenessProbe?.httpGet?.path !== '/healthz' ||
              readinessProbe?.httpGet?.path !== '/readyz',
          )
          .map(() => name),
      ),
  'a service has minutes to find its bus before it is started anew': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers
          .map(({ startupProbe }) => secondsOf(startupProbe))
          .filter((seconds) => seconds < START_SECONDS_MIN)
          .map((seconds) => `${name}: ${seconds} s`),
      ),
  'nothing is started anew that was silent for a moment': (manifests) =>
    lastingWorkloadsOf(manifests).flatMap(({ name, pod }) =>
      pod.containers
        .map(({ livenessProbe }) => secondsOf(livenessProbe))
        .filter((seconds) => seconds < SILENT_SECONDS_MIN)
        .map((seconds) => `${name}: ${seconds} s`),
    ),
} satisfies Record<string, Policy>;

/** How long a probe may fail. */
function secondsOf({ periodSeconds = 10, failureThreshold = 3 }: Probe = {}): number {
  return periodSeconds * failureThreshold;
}
