import type { AVAILABILITY } from './availability.js';
import { type Breaches, inGateway, inObject, inService } from './breach.js';

export const BREACHES_OF_AVAILABILITY: Breaches<typeof AVAILABILITY> = {
  'a service gets longer to stop than it may take, and than a lease': inGateway(({ pod }) => {
    pod.terminationGracePeriodSeconds = 30;
  }),
  'a gateway serves on until load balancers have heard that it goes': inService((container) => {
    delete container.lifecycle;
  }),
  'a roll-out takes nothing away before its successor is ready': inGateway(({ spec }) => {
    spec.strategy = { type: 'Recreate' };
  }),
  'each disruption budget is for one workload, and lets nodes be drained': inObject(
    'PodDisruptionBudget',
    ({ spec }) => {
      if (spec) spec.selector = { matchLabels: { 'app.kubernetes.io/part-of': 'agentclash' } };
    },
  ),
  'whatever may have several pods has a disruption budget, and spreads them over nodes and zones': inGateway(
    ({ pod }) => {
      for (const constraint of pod.topologySpreadConstraints ?? []) delete constraint.matchLabelKeys;
    },
  ),
  'what holds state or decides comes before executors': inGateway(({ pod }) => {
    pod.priorityClassName = 'agentclash-execution';
  }),
  "executors take nobody's place, and no priority is given to pods of others": inObject(
    'PriorityClass',
    (priority) => {
      priority.globalDefault = true;
    },
  ),
};
