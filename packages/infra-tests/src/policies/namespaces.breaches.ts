import { type Breaches, inObject } from './breach.js';
import type { NAMESPACES } from './namespaces.js';

export const BREACHES_OF_NAMESPACES: Breaches<typeof NAMESPACES> = {
  'everything lies in the namespace of the services, and beside sandboxes only what bounds them': [
    inObject('PodDisruptionBudget', ({ metadata }) => {
      metadata.namespace = 'agentclash-sandboxes';
    }),
    inObject('ServiceMonitor', ({ metadata }) => {
      metadata.namespace = 'monitoring';
    }),
    inObject('ScaledObject', ({ metadata }) => {
      delete metadata.namespace;
    }),
  ],
};
