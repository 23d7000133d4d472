export {
  ApiError,
  type Client,
  createClient,
  type RecordedEvent,
  type Run,
  type RunRequest,
  routes,
} from '@agentclash/api';
export type { Problem } from '@agentclash/challengepack';
export { DeploymentsDefinition, defineDeployments } from './define-deployments.js';
export { definePack, PackDefinition } from './define-pack.js';
export type { DeploymentFile } from './generated/deployment-file.js';
export { type EventListener, onEvent } from './on-event.js';
export type { Case, Challenge, InputSet, PackDocument } from './pack-parts.js';
