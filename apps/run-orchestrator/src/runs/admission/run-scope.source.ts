import { Bus } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type InputSet,
  type PackVersion,
  packs,
  type runs,
} from '@agentclash/contracts';
import type { AuditShortfall } from '@agentclash/domain';
import {
  type ChosenCases,
  capabilityProblem,
  compatibilityProblem,
  conversationProblem,
  foldKeys,
  type InputSetKeys,
  type PackVersionView,
  refuse,
  sizeProblem,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { CasesSource } from '../plans/cases.source.js';
import { VersionsSource } from '../plans/versions.source.js';
import { type CandidateAgents, RunAdmission } from './candidate-agents.js';
import { RunCases } from './run-cases.source.js';

/** The members of a run request that name version, input set, cases and agents. */
export type ScopeRequest = Pick<
  In<typeof runs.create>['request'],
  | 'challenge_pack_version_id'
  | 'challenge_input_set_id'
  | 'case_keys'
  | 'only_failed_of'
  | 'deployment_ids'
  | 'deployment_names'
  | 'lineup'
  | 'variants'
> & { repetitions: number };

/** The version, input set, cases and agents that a run request names, as they are now. */
export interface RunScope extends ChosenCases {
  version: PackVersion;
  view: PackVersionView;
  inputSet: InputSet;
  candidates: CandidateAgents;
  /** All cases of the input set. */
  set: InputSetKeys;
}

@Injectable()
export class RunScopes {
  constructor(
    private readonly versions: VersionsSource,
    private readonly admission: RunAdmission,
    private readonly cases: CasesSource,
    private readonly chosen: RunCases,
    private readonly bus: Bus,
  ) {}

  /** Fails where one of them is missing, or where these agents cannot race on these cases. */
  async read(workspaceId: string, request: ScopeRequest): Promise<RunScope> {
    const version = await this.runnableVersion(workspaceId, request.challenge_pack_version_id);
    const view = await this.versions.get(workspaceId, version.id);
    const { manifest } = view;
    const [inputSet, candidates] = await Promise.all([
      this.inputSet(workspaceId, version.id, request.challenge_input_set_id),
      this.admission.read(workspaceId, request, manifest),
    ]);
    const set = await foldKeys(
      this.cases.keys({ workspaceId, versionId: version.id, inputSetKey: inputSet.key }),
    );
    const chosen = await this.chosen.choose(request, {
      workspaceId,
      packSlug: version.slug,
      all: set.keys,
    });
    const { caseKeys } = chosen;
    const { agents } = candidates;
    const size = { agents: agents.length, cases: caseKeys.length, repetitions: request.repetitions };
    refuse(
      sizeProblem(size) ??
        capabilityProblem(manifest) ??
        compatibilityProblem(manifest, agents) ??
        conversationProblem(manifest, {
          hasPerson: caseKeys.some((key) => set.withPerson.has(key)),
          agents,
        }),
    );
    return { version, view, inputSet, candidates, set, ...chosen };
  }

  /** Fails with `version_archived`, and with `audit_required`. */
  async runnableVersion(workspace_id: string, version_id: string): Promise<PackVersion> {
    const version = await this.bus.call(packs.getVersion, { workspace_id, version_id });
    if (version.audit_shortfall !== undefined) throw auditRequired(version, version.audit_shortfall);
    if (version.lifecycle_status !== 'archived') return version;
    throw new ContractError(
      'version_archived',
      `Version ${version.version_number} of "${version.slug}" is archived: publish or restore another.`,
    );
  }

  /** The named input set, else the only one. */
  async inputSet(workspace_id: string, version_id: string, id: string | undefined): Promise<InputSet> {
    const { items } = await this.bus.call(packs.inputSets, { workspace_id, version_id });
    const named = items.find((set) => set.id === id);
    if (named) return named;
    if (id !== undefined) throw new ContractError('not_found', `The version has no input set ${id}.`);
    const [only, ...others] = items;
    if (!only)
      throw new ContractError('no_input_sets', 'The version has no input set: there is nothing to run.');
    if (others.length === 0) return only;
    const input_sets = items.map(({ id, key, name, case_count }) => ({ id, key, name, case_count }));
    throw new ContractError(
      'input_set_required',
      `The version has ${items.length} input sets: choose one of ${items.map(({ key }) => key).join(', ')}.`,
      { input_sets },
    );
  }
}

/** Why an audit is demanded, and what helps, beside another policy. */
const AUDIT_SHORTFALLS: Readonly<Record<AuditShortfall, { reason: string; next: 'audit' | 'graders' }>> = {
  audit_missing: { reason: 'it has none', next: 'audit' },
  audit_not_passed: { reason: 'its newest one did not pass', next: 'audit' },
  audit_quick: { reason: 'its newest one was quick', next: 'audit' },
  audit_outdated: { reason: 'its newest one is too old', next: 'audit' },
  audit_strength_below_minimum: {
    reason:
      'its newest one shows a strength of its graders below the minimum, or too few mutants to show any',
    next: 'graders',
  },
};

function auditRequired(
  { slug, version_number: number, id }: PackVersion,
  shortfall: AuditShortfall,
): ContractError {
  const { reason, next } = AUDIT_SHORTFALLS[shortfall];
  const steps = {
    audit: `run "agentclash challenge-pack audit ${slug}@${number}"`,
    graders: 'publish a version with stronger graders, or with solutions for more cases',
  };
  const message = `The workspace requires an audit of versions, and of ${slug} version ${number} ${reason}: ${steps[next]}, or change the audit policy.`;
  return new ContractError('audit_required', message, { reason: shortfall, challenge_pack_version_id: id });
}
