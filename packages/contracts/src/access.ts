import { auditJobs, auditLeases, audits } from './audits.js';
import { busApi } from './bus-api.js';
import { busEvents } from './bus-events.js';
import { baselines, comparisons } from './comparisons.js';
import { artifactUsers, deployments } from './deployments.js';
import { evalPlans } from './eval-plans.js';
import { deliveries, evidence, execution, executionEvents, executionLive } from './execution.js';
import { executors, fleet } from './executors.js';
import { gatePolicies, gates } from './gates.js';
import { leases } from './leases.js';
import type { BusEvent, Group, Live, Message } from './message.js';
import { modelAliases } from './model-aliases.js';
import { modelCalls } from './model-calls.js';
import { modelSlotEvents, modelSlots } from './model-slots.js';
import { artifacts, packs } from './packs.js';
import { prices } from './prices.js';
import { profiles } from './profiles.js';
import { providerAccounts } from './provider-accounts.js';
import { races } from './races.js';
import { reviews } from './reviews.js';
import { runBudgets } from './run-budgets.js';
import { runEvents } from './run-events.js';
import { runImports } from './run-imports.js';
import { attempts, runs } from './runs.js';
import { scorecards, scoringEvents, scoringJobs } from './scorecards.js';
import { scoredRuns } from './scored-runs.js';
import { storage } from './storage.js';
import { tools } from './tools.js';
import { vault, vaultKeys } from './vault.js';
import { gateEvents, webhookKeys, webhooks } from './webhooks.js';

export interface Access {
  /** Groups this service owns: it must have exactly one handler for each message of them. */
  serves: readonly Group[];
  /** Requests it may make and jobs it may send. */
  sends: readonly Message[];
  /** Events it may publish. */
  publishes: readonly (BusEvent | Live)[];
  /** Stored events of which one of its instances receives each, through a durable consumer. */
  subscribes: readonly BusEvent[];
  /** Events that every live instance receives directly: no consumer is made for them. */
  watches?: readonly (BusEvent | Live)[];
  /** True when it creates the streams; the others wait for them. */
  provisions?: boolean;
}

/**
 * The messages that each service may send and receive: the one declaration behind the bus users' permissions and the
 * check of handlers at start. Only the executor and scoring may resolve secrets, each by its own request.
 */
export const ACCESS = {
  gateway: {
    serves: [],
    sends: [
      ...Object.values(packs),
      ...Object.values(artifacts),
      ...Object.values(audits),
      ...Object.values(deployments),
      ...Object.values(profiles),
      ...Object.values(providerAccounts),
      ...Object.values(modelAliases),
      ...Object.values(prices),
      ...Object.values(tools),
      ...Object.values(runs),
      ...Object.values(runImports),
      ...Object.values(evalPlans),
      ...Object.values(attempts),
      ...Object.values(scorecards),
      ...Object.values(comparisons),
      ...Object.values(baselines),
      ...Object.values(gatePolicies),
      ...Object.values(gates),
      ...Object.values(reviews),
      vault.list,
      vault.set,
      vault.remove,
      vault.audit,
      ...Object.values(vaultKeys),
      ...Object.values(fleet),
      ...Object.values(storage),
      ...Object.values(webhooks),
      webhookKeys.set,
      webhookKeys.remove,
    ],
    publishes: [],
    subscribes: [],
    watches: [executionEvents.recorded, executionLive.output],
  },
  'pack-registry': {
    serves: [packs, artifacts, audits, auditLeases],
    sends: [artifactUsers.list, vault.unbound, auditJobs.run],
    publishes: [],
    subscribes: [],
  },
  'run-orchestrator': {
    serves: [
      artifactUsers,
      deployments,
      profiles,
      providerAccounts,
      modelAliases,
      prices,
      tools,
      runs,
      runImports,
      evalPlans,
      busApi,
      attempts,
      leases,
      executors,
      fleet,
      modelSlots,
      runBudgets,
      deliveries,
      evidence,
      storage,
      webhooks,
    ],
    sends: [
      packs.get,
      packs.getVersion,
      packs.manifest,
      packs.inputSets,
      packs.caseKeys,
      packs.casesByKey,
      artifacts.getMany,
      vault.grant,
      vault.revoke,
      vault.unbound,
      modelCalls.test,
      ...Object.values(execution),
      scoringJobs.scoreAttempts,
      scoringJobs.scoreRun,
      scorecards.ranking,
      scorecards.runAgent,
      ...Object.values(races),
      ...Object.values(scoredRuns),
      webhookKeys.sign,
    ],
    publishes: [
      ...Object.values(runEvents),
      executionEvents.recorded,
      executionEvents.cancelled,
      executionEvents.halted,
      executionEvents.turnGiven,
      modelSlotEvents.contended,
      busEvents.deadLetter,
    ],
    subscribes: [
      busEvents.deadLetter,
      executionEvents.emitted,
      scoringEvents.attemptsScored,
      scoringEvents.runScored,
      gateEvents.decided,
    ],
    provisions: true,
  },
  'sandbox-executor': {
    serves: [execution, modelCalls, auditJobs],
    sends: [
      ...Object.values(auditLeases),
      packs.manifest,
      packs.inputSets,
      packs.caseKeys,
      packs.casesByKey,
      packs.bundle,
      packs.validate,
      artifacts.getMany,
      ...Object.values(leases),
      ...Object.values(executors),
      ...Object.values(modelSlots),
      ...Object.values(runBudgets),
      vault.resolve,
    ],
    publishes: [executionEvents.emitted, executionLive.output, busEvents.deadLetter],
    subscribes: [],
    watches: [
      executionEvents.cancelled,
      executionEvents.halted,
      executionEvents.turnGiven,
      modelSlotEvents.contended,
    ],
  },
  'secrets-vault': {
    serves: [vault, vaultKeys, webhookKeys],
    sends: [deliveries.live],
    publishes: [],
    subscribes: [],
  },
  scoring: {
    serves: [
      scorecards,
      scoringJobs,
      scoredRuns,
      races,
      comparisons,
      baselines,
      gatePolicies,
      gates,
      reviews,
    ],
    sends: [
      ...Object.values(evidence),
      runs.get,
      runs.agents,
      runs.attempts,
      packs.get,
      packs.getVersion,
      packs.manifest,
      packs.caseKeys,
      packs.casesByKey,
      artifacts.getMany,
      scoringJobs.scoreAttempts,
      scoringJobs.rescoreRun,
      vault.resolveForJudges,
      ...Object.values(modelSlots),
    ],
    publishes: [...Object.values(scoringEvents), gateEvents.decided, busEvents.deadLetter],
    subscribes: [],
    watches: [modelSlotEvents.contended],
  },
} as const satisfies Record<string, Access>;

/**
 * The messages of internal services, which are external to the product and have access to one workspace. The last token
 * of each subject is the workspace, by which the server isolates workspaces.
 */
export const BUS_API = {
  sends: Object.values(busApi),
  subscribes: Object.values(runEvents),
} as const satisfies Pick<Access, 'sends' | 'subscribes'>;

export type ServiceName = keyof typeof ACCESS;
