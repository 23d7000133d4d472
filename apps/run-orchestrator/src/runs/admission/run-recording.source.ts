import type { AttemptPlan } from '@agentclash/attempt-plan';
import { ContractError, type In, type runs } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import type { AgentSnapshot, Warning } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { laneKey, type RecordedRun, RunsStore } from '../store/runs.store.js';

type Request = Pick<
  In<typeof runs.create>['request'],
  'model_calls' | 'replay_from' | 'race_context' | 'repetitions'
>;

/** The recording that a replaying run must find in the recorded one. */
interface Replay {
  workspaceId: string;
  packSlug: string;
  /** A person takes turns in some case of the input set. */
  hasPerson: boolean;
  agents: readonly AgentSnapshot[];
  caseKeys: readonly string[];
}

/** How a run makes its model calls, as it is stored; both null: live. */
export interface ChosenModelCalls {
  modelCalls: NonNullable<AttemptPlan['model_calls']> | null;
  replayFrom: string | null;
}

/** Names that an error lists. */
const NAMED_MAX = 20;

/** Checks the mode of model calls of a run request, and the recorded run that it names. */
@Injectable()
export class RunRecordings {
  constructor(
    private readonly runs: RunsStore,
    private readonly attempts: AttemptReads,
  ) {}

  /** Fails with `invalid_input`, `not_found` and, for a recorded run that has not ended, with `conflict`. */
  async choose(request: Request, replay: Replay): Promise<ChosenModelCalls> {
    const { model_calls = 'live', replay_from } = request;
    if (replay_from !== undefined && model_calls !== 'replay') {
      throw invalid('replay_from', 'contradiction', 'needs model_calls "replay"');
    }
    if (model_calls === 'live') return { modelCalls: null, replayFrom: null };
    if (model_calls !== 'cache') refuseHumanTurns(replay);
    if (model_calls !== 'replay') return { modelCalls: model_calls, replayFrom: null };
    if (replay_from === undefined) {
      throw invalid('replay_from', 'required', 'is required with model_calls "replay"');
    }
    const source = await this.runs.findRecorded(replay.workspaceId, replay_from);
    if (source === undefined) throw new ContractError('not_found', `There is no run ${replay_from}.`);
    refuseUnfit(source, replay_from, replay);
    const keys = replay.agents.map(laneOf);
    const agentIds = keys.flatMap((key) => source.lanes.get(key) ?? []);
    const { repetitions } = request;
    const cases = new Set(await this.attempts.casesOf({ agentIds, repetitions }));
    refuseUncovered({ ...source, cases }, request, replay);
    return { modelCalls: 'replay', replayFrom: replay_from };
  }
}

function refuseUnfit(source: RecordedRun, id: string, { packSlug }: Replay): void {
  if (source.packSlug !== packSlug) {
    const message = `is a run of the pack "${source.packSlug}", not of "${packSlug}"`;
    throw invalid('replay_from', 'contradiction', message);
  }
  if (source.modelCalls !== 'record') {
    const message = 'is a run whose model calls were not recorded: start one with model_calls "record"';
    throw invalid('replay_from', 'not_recorded', message);
  }
  if (source.hasRaceContext) {
    const message =
      'is a run with race_context: its models received the progress of their peers, which differs';
    throw invalid('replay_from', 'not_repeatable', message);
  }
  if (!hasRunEnded(source.status)) {
    throw new ContractError('conflict', `The run ${id} has not ended: its recording is not complete yet.`);
  }
}

function laneOf({ deployment_id, variant }: AgentSnapshot): string {
  return laneKey(deployment_id, variant ?? null);
}

/** Every attempt needs a recorded one of the same lane, case and repetition. */
function refuseUncovered(
  source: RecordedRun & { cases: ReadonlySet<string> },
  request: Request,
  { agents, caseKeys }: Replay,
): void {
  if (request.race_context) {
    throw invalid('race_context', 'contradiction', 'and model_calls "replay" exclude each other');
  }
  const others = agents.filter((agent) => !source.lanes.has(laneOf(agent)));
  if (others.length > 0) {
    const names = others.map(({ name }) => name);
    throw invalid('replay_from', 'not_recorded', `has no recording of ${listed(names)}`);
  }
  const missing = caseKeys.filter((key) => !source.cases.has(key));
  if (missing.length > 0) {
    throw invalid('replay_from', 'not_recorded', `has no recording of ${listed(missing)}`);
  }
  if (request.repetitions > source.repetitions) {
    const message = `is more than the ${source.repetitions} of the recorded run`;
    throw invalid('repetitions', 'not_recorded', message);
  }
}

/** A person does not repeat a turn. */
function refuseHumanTurns({ hasPerson }: Replay): void {
  if (!hasPerson) return;
  throw invalid('model_calls', 'not_repeatable', 'cannot be recorded for a pack in which people take turns');
}

/** Agents whose calls are live in every mode. */
export function modelCallWarnings(
  { modelCalls }: ChosenModelCalls,
  agents: readonly AgentSnapshot[],
): Warning[] {
  if (modelCalls === null) return [];
  return agents.filter(callsElsewhere).map(({ name, kind }) => ({
    code: 'model_calls_unseen',
    message: `"${name}" is called live: only calls of models that the deployment names are recorded and served, and this ${kind} names none.`,
  }));
}

function callsElsewhere(agent: AgentSnapshot): boolean {
  return agent.kind === 'endpoint' || (agent.kind === 'program' && agent.config.models === undefined);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ');
  return names.length > NAMED_MAX ? `${shown} and ${names.length - NAMED_MAX} more` : shown;
}

function invalid(field: string, code: string, message: string): ContractError {
  return new ContractError('invalid_input', `The run cannot be started: ${field} ${message}.`, {
    errors: [{ code, field, message }],
  });
}
