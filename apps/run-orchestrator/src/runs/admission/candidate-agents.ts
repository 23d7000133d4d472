import type { LimitSettings } from '@agentclash/attempt-plan';
import type { Manifest } from '@agentclash/challengepack';
import { type In, type runs, Uuid } from '@agentclash/contracts';
import {
  type AgentSnapshot,
  agentWarnings,
  baselineWarnings,
  budgetPriceProblem,
  budgetWarnings,
  credentialReferences,
  deploymentsRequired,
  type InputSetKeys,
  idsOfNamed,
  namedDeployments,
  needsOfPack,
  type PackModels,
  type PackVersionView,
  packModelsProblem,
  presetProblem,
  priceProblem,
  priceWarnings,
  readPackModels,
  refuse,
  type SecretNeeds,
  secretNeeds,
  serversProblem,
  simulatorWarnings,
  toolsProblem,
  toolWarnings,
  type Warning,
  type WorkspaceResources,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { DeploymentsStore } from '../../catalogue/deployments/deployments.store.js';
import { OperatorSettings } from '../../catalogue/resources/operator-settings.js';
import { refuseInvalid } from '../../catalogue/resources/resource-errors.js';
import { FleetChecks } from '../executors/fleet-checks.js';
import { AgentsSource } from '../plans/agents.source.js';
import { WorkspaceResourcesSource } from '../plans/workspace-resources.source.js';

/** Names read for an error message. */
const NAMES_MAX = 200;

/** Which deployments a run request means: by id, by name or alias, by lineup, or by the pack's default. */
@Injectable()
export class RunDeployments {
  constructor(private readonly deployments: DeploymentsStore) {}

  /** Fails with `not_found`, `invalid_input` and `deployments_required`. */
  async idsOf(
    workspaceId: string,
    request: In<typeof runs.create>['request'],
    { version }: Manifest,
  ): Promise<string[]> {
    if (request.deployment_ids.length > 0) return request.deployment_ids;
    const defaults = version.deployment_defaults;
    const named = namedDeployments(request, defaults);
    const names = () => this.activeNames(workspaceId);
    if (!named) throw deploymentsRequired(await names(), Object.keys(defaults?.lineups ?? {}));
    const selectors = named.names.map(({ selector }) => selector);
    const [byName, byId] = await Promise.all([
      this.deployments.findActive(workspaceId, selectors),
      this.deployments.findMany(
        workspaceId,
        selectors.filter((selector) => Uuid.safeParse(selector).success),
      ),
    ]);
    return await idsOfNamed(named, { found: [...byName, ...byId], names }, defaults);
  }

  private async activeNames(workspaceId: string): Promise<string[]> {
    const active = await this.deployments.list({ workspaceId, take: NAMES_MAX }, { status: 'active' });
    return active.map(({ name }) => name).sort();
  }
}

/** Who takes part in a run, as the workspace has them now. */
export interface CandidateAgents {
  agents: AgentSnapshot[];
  resources: WorkspaceResources;
}

/** The snapshots of the agents that take part in a run, and their needs. */
export interface AdmittedAgents {
  packModels: PackModels;
  secrets: SecretNeeds;
  warnings: Warning[];
}

interface AdmissionContext {
  view: PackVersionView;
  inputSetKey: string;
  /** The actors of simulated users in the cases of the input set. */
  phases: InputSetKeys['phases'];
  runLimits: LimitSettings;
  /** Absent: none, or one that no call is made under. */
  callBudget?: { usd?: number | undefined };
}

/** Agents, models and tools of a run: found, checked against the pack, pinned. */
@Injectable()
export class RunAdmission {
  constructor(
    private readonly agents: AgentsSource,
    private readonly resources: WorkspaceResourcesSource,
    private readonly operator: OperatorSettings,
    private readonly fleet: FleetChecks,
    private readonly deployments: RunDeployments,
  ) {}

  async read(
    workspaceId: string,
    request: In<typeof runs.create>['request'],
    manifest: Manifest,
  ): Promise<CandidateAgents> {
    const [deploymentIds, resources] = await Promise.all([
      this.deployments.idsOf(workspaceId, request, manifest),
      this.resources.read(workspaceId),
    ]);
    const { variants } = request;
    const agents = await this.agents.snapshots(workspaceId, deploymentIds, { resources, variants });
    return { agents, resources };
  }

  /** Fails with the first reason why these cannot race. */
  async admit(
    { agents, resources }: CandidateAgents,
    { view, inputSetKey, phases, runLimits, callBudget }: AdmissionContext,
  ): Promise<AdmittedAgents> {
    const { manifest, spec } = view;
    const needs = needsOfPack(manifest, agents, view.caseImages.get(inputSetKey));
    const fleetWarnings = await this.fleet.admit(needs);
    const catalog = resources.models;
    const reading = readPackModels({ spec, phases }, catalog);
    const simulated = Object.fromEntries(
      reading.simulators.flatMap((name) => {
        const model = reading.models[name];
        return model === undefined ? [] : [[name, model]];
      }),
    );
    refuse(
      toolsProblem(manifest, agents) ??
        serversProblem(view, agents) ??
        packModelsProblem(reading, agents) ??
        presetProblem(agents) ??
        priceProblem(agents, { spec, runLimits, catalog }) ??
        (callBudget?.usd === undefined
          ? undefined
          : budgetPriceProblem(agents, { spec, simulators: simulated, catalog })),
    );
    const { models: packModels, simulators } = reading;
    this.checkCredentials(credentialReferences(agents, packModels));
    return {
      packModels,
      secrets: secretNeeds({
        manifest,
        spec,
        packModels,
        simulators,
        agents,
        secretKeyOf: (reference) => this.operator.secretKeyOf(reference),
      }),
      warnings: [
        ...baselineWarnings(agents),
        ...agentWarnings(manifest, agents),
        ...toolWarnings(manifest, agents),
        ...fleetWarnings,
        ...simulatorWarnings(reading),
        ...priceWarnings(agents, { spec, packModels, catalog }),
        ...(callBudget ? budgetWarnings(agents) : []),
      ],
    };
  }

  /** A credential that was permitted when its account was saved may be forbidden since. */
  private checkCredentials(references: string[]): void {
    const problems = references.flatMap((reference) =>
      this.operator.credentialProblems(reference, 'credential_reference'),
    );
    refuseInvalid('A credential of the run', problems);
  }
}
