import { READING_MIB_MAX } from '@agentclash/pack-registry';
import { SCHEMA_CHECKS_MIB_MAX } from '@agentclash/run-orchestrator';
import { UNTRUSTED_THREADS_MIB_MAX, WORKERS_MIB_MAX } from '@agentclash/sandbox-executor';
import { environmentOf } from '../environment/resolve.js';
import { lastingWorkloadsOf } from '../manifests/manifest.js';
import { bytesOf, MIB } from '../manifests/quantity.js';
import type { Policy } from './policy.js';

/** The rest is for what lies outside of the heaps: buffers, code, stacks. */
const HEAPS_SHARE_MAX = 0.8;

/** Go counts more of what it holds. */
const GO_SHARE_MAX = 0.9;

/** What the threads of a service may take besides its own heap. */
const THREADS_MIB: Readonly<Record<string, (environment: Readonly<Record<string, string>>) => number>> = {
  'pack-registry': () => READING_MIB_MAX,
  'run-orchestrator': () => SCHEMA_CHECKS_MIB_MAX,
  'sandbox-executor': () => WORKERS_MIB_MAX + UNTRUSTED_THREADS_MIB_MAX,
  scoring: ({ SCORING_THREADS, SCORING_THREAD_MIB }) => Number(SCORING_THREADS) * Number(SCORING_THREAD_MIB),
};

export const MEMORY = {
  'the heaps of a service and its threads leave room below its limit of memory': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers.flatMap((container) => {
          const { values } = environmentOf(manifests, container);
          const [, heap] = /--max-old-space-size=(\d+)/.exec(values.NODE_OPTIONS ?? '') ?? [];
          const mib = Number(heap) + (THREADS_MIB[name]?.(values) ?? 0);
          const limit = bytesOf(container.resources?.limits?.memory ?? '');
          return mib * MIB <= limit * HEAPS_SHARE_MAX ? [] : [`${name}: ${mib} MiB of ${limit / MIB}`];
        }),
      ),
  'the heap of a NATS server leaves room below its limit of memory': (manifests) =>
    lastingWorkloadsOf(manifests)
      .filter(({ name }) => name === 'nats')
      .flatMap(({ name, pod }) => pod.containers.map((container) => ({ name, container })))
      .filter(({ container: { env = [], resources } }) => {
        const heap = env.find((variable) => variable.name === 'GOMEMLIMIT')?.value?.replace(/B$/, '');
        return !(bytesOf(heap ?? '') <= bytesOf(resources?.limits?.memory ?? '') * GO_SHARE_MAX);
      })
      .map(({ name }) => name),
} satisfies Record<string, Policy>;
