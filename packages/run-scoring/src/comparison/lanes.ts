import { ContractError, type RunAgent } from '@agentclash/contracts';
import { resolveRunAgent } from '@agentclash/grading';
import { type ComparedRun, namedAgent } from './compared-run.js';

/** Two lanes to compare; undefined where the request does not decide between several. */
export interface LanePair {
  baseline: RunAgent | undefined;
  candidate: RunAgent | undefined;
}

export interface LaneChoice {
  /** Names that both runs have, separated by commas. */
  agents?: string | undefined;
  baseline_agent?: string | undefined;
  candidate_agent?: string | undefined;
}

/** The lanes of a request. Fails with `not_found` for a name that a run does not have. */
export function chooseLanes(
  sides: { baseline: ComparedRun; candidate: ComparedRun },
  { agents, baseline_agent, candidate_agent }: LaneChoice,
): LanePair[] {
  if (agents === undefined) return [onePair(sides, { baseline_agent, candidate_agent })];
  if (baseline_agent !== undefined || candidate_agent !== undefined) {
    throw new ContractError('invalid_input', 'Name either agents of both runs, or one agent of each.', {
      errors: [{ code: 'contradiction', field: 'agents', message: 'cannot be combined with single agents' }],
    });
  }
  const names = [...new Set(agents.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  return names.map((name) => ({
    baseline: namedAgent(sides.baseline, name),
    candidate: namedAgent(sides.candidate, name),
  }));
}

/** Each lane is the named one, else the only one, else the only one with the name of the other side's lane. */
function onePair(
  { baseline, candidate }: { baseline: ComparedRun; candidate: ComparedRun },
  named: { baseline_agent: string | undefined; candidate_agent: string | undefined },
): LanePair {
  const left = named.baseline_agent === undefined ? undefined : namedAgent(baseline, named.baseline_agent);
  const right =
    named.candidate_agent === undefined ? undefined : namedAgent(candidate, named.candidate_agent);
  const [ofBaseline, ofCandidate] = [
    left ?? resolveRunAgent(baseline.agents),
    right ?? resolveRunAgent(candidate.agents),
  ];
  return {
    baseline: ofBaseline ?? namesake(baseline, ofCandidate),
    candidate: ofCandidate ?? namesake(candidate, ofBaseline),
  };
}

function namesake({ agents }: ComparedRun, other: RunAgent | undefined): RunAgent | undefined {
  return other && resolveRunAgent(agents.filter(({ name }) => name === other.name));
}
