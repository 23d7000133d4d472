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
  if (agents === undefined) return unlisted(sides, { baseline_agent, candidate_agent });
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

interface SingleAgents {
  baseline_agent: string | undefined;
  candidate_agent: string | undefined;
}

/** One pair; where nothing names a lane and several agents of both runs have common names, one for each name. */
function unlisted(sides: { baseline: ComparedRun; candidate: ComparedRun }, named: SingleAgents): LanePair[] {
  const isNamed = named.baseline_agent !== undefined || named.candidate_agent !== undefined;
  const all = isNamed ? undefined : namesakes(sides);
  return all ?? [onePair(sides, named)];
}

/**
 * Every agent of the candidate with its namesake, in the order of the candidate, then the agents of the baseline alone: an
 * agent that one run alone has is in a pair without the other side. Undefined where the runs have no name in common, a run
 * has a single agent, or names are not unique.
 */
function namesakes(sides: { baseline: ComparedRun; candidate: ComparedRun }): LanePair[] | undefined {
  const baseline = new Map(sides.baseline.agents.map((agent) => [agent.name, agent]));
  const candidate = new Map(sides.candidate.agents.map((agent) => [agent.name, agent]));
  const areNamesUnique =
    sides.baseline.agents.length === baseline.size && sides.candidate.agents.length === candidate.size;
  const areSeveral = baseline.size > 1 && candidate.size > 1;
  if (!areNamesUnique || !areSeveral || ![...candidate.keys()].some((name) => baseline.has(name))) {
    return undefined;
  }
  const ofBaselineAlone = sides.baseline.agents.filter(({ name }) => !candidate.has(name));
  return [
    ...[...candidate].map(([name, agent]) => ({ baseline: baseline.get(name), candidate: agent })),
    ...ofBaselineAlone.map((agent) => ({ baseline: agent, candidate: undefined })),
  ];
}

/** Each lane is the named one, else the only one, else the only one with the name of the other side's lane. */
function onePair(
  { baseline, candidate }: { baseline: ComparedRun; candidate: ComparedRun },
  named: SingleAgents,
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
