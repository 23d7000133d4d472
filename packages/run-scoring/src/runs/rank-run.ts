import type { EvaluationSpec } from '@agentclash/challengepack';
import type { LaneVariant, RankingEntry } from '@agentclash/contracts';
import {
  compareVariants,
  judgeAgreement,
  type RatedUnit,
  type RunAgentScorecard,
  rankRunAgents,
} from '@agentclash/grading';
import type { AgentAggregate } from './agent-aggregate.js';

/** A run agent with its aggregated attempts. */
export interface AggregatedAgent extends AgentAggregate {
  run_agent_id: string;
  name: string;
  variant?: LaneVariant | undefined;
}

export interface RankedRun {
  items: RankingEntry[];
  judges: { judge_key: string; agreement: number | null }[];
  variants: ReturnType<typeof compareVariants>;
}

/** Ranks the agents of a run; `ratings` are those of all of them, by judge. */
export function rankRun(
  spec: EvaluationSpec,
  agents: readonly AggregatedAgent[],
  { ratings, isStopped }: { ratings: ReadonlyMap<string, RatedUnit[]>; isStopped: boolean },
): RankedRun {
  const ranked = rankRunAgents(agents.map(({ run_agent_id: id, scorecard }) => ({ id, scorecard })));
  // Nothing is tested over a stopped run: its race has the verdicts.
  const tested = isStopped ? [] : agents;
  return {
    items: ranked.map((entry) => rankingEntry(entry, agents)),
    judges: spec.llm_judges.map(({ key, mode }) => ({
      judge_key: key,
      agreement: judgeAgreement(mode, ratings.get(key) ?? []),
    })),
    variants: compareVariants(
      tested.flatMap(({ run_agent_id, variant, scorecard }) =>
        variant === undefined ? [] : [{ run_agent_id, variant, scorecard }],
      ),
    ),
  };
}

function rankingEntry(
  { id, rank, reason }: { id: string; rank: number; reason: string },
  agents: readonly AggregatedAgent[],
): RankingEntry {
  const agent = agents.find(({ run_agent_id }) => run_agent_id === id);
  if (agent === undefined) throw new Error(`the ranking names an agent that is not in the run: ${id}`);
  const { name, variant, scorecard, failures } = agent;
  const {
    cases: _cases,
    missing_attempts: _missing,
    overall,
    reason: verdict_reason,
    ...figures
  }: RunAgentScorecard = scorecard;
  return {
    ...figures,
    run_agent_id: id,
    name,
    ...(variant && { variant }),
    rank,
    reason,
    verdict_reason,
    overall: overall.mean,
    overall_estimate: overall,
    failures,
  };
}
