import {
  type RaceComparison,
  type RunAgent,
  RunComparison,
  readingNotes,
  type ScorecardReply,
} from '@agentclash/contracts';
import {
  type Comparison,
  type ComparisonSide,
  compareRunAgents,
  type RunAgentScorecard,
} from '@agentclash/grading';
import { withBoundedPairs } from './bounded-pairs.js';
import { type ComparedRun, isStoppedEarly } from './compared-run.js';
import { chooseLanes, type LaneChoice, type LanePair } from './lanes.js';
import { raceComparison } from './race-comparison.js';

/** Two runs, as they are compared. */
export interface Sides {
  baseline: ComparedRun;
  candidate: ComparedRun;
}

export interface ComparisonChoice extends LaneChoice {
  /** The difference that `cases_needed` is counted for. */
  detect?: number | undefined;
}

/** A comparison with its inputs. */
export interface ComparedRuns {
  content: RunComparison;
  sides: Sides;
  lanes: readonly LanePair[];
  /** Of each pair of lanes, in the same order. */
  compared: readonly Comparison[];
  cards: readonly { baseline: ComparisonSide | null; candidate: ComparisonSide | null }[];
  /** Undefined for a pair that no race has. */
  races: readonly (RaceComparison | undefined)[];
}

/** The part of a reply that a comparison reads. */
type Reply = Pick<ScorecardReply, 'evaluation_spec_id' | 'scorecard'>;

/** Compares the lanes of two runs by the newest scorecards of their agents. Fails as `chooseLanes` does. */
export async function compareRuns(
  sides: Sides,
  { detect, ...choice }: ComparisonChoice,
  scorecardOf: (runAgentId: string, side: keyof Sides) => Promise<Reply>,
): Promise<ComparedRuns> {
  const lanes = chooseLanes(sides, choice);
  const { baseline, candidate } = sides;
  const sideOf = async (side: keyof Sides, agent: RunAgent | undefined) =>
    agent === undefined ? null : comparisonSide(sides[side], agent, await scorecardOf(agent.id, side));
  const cards = await Promise.all(
    lanes.map(async (pair) => {
      const [left, right] = await Promise.all([
        sideOf('baseline', pair.baseline),
        sideOf('candidate', pair.candidate),
      ]);
      return { baseline: left, candidate: right };
    }),
  );
  const compared = compareRunAgents(cards, detect === undefined ? {} : { detect });
  const races = lanes.map((pair) => raceComparison([candidate.run, baseline.run], pair));
  const whole = RunComparison.parse({
    baseline: describe(baseline),
    candidate: describe(candidate),
    comparisons: compared.map((comparison, at) => ({
      ...comparison,
      reasons: comparison.reasons.map((code) => reasonOf(code, lanes, at)),
      race: races[at],
    })),
  });
  const content = { ...whole, comparisons: withBoundedPairs(whole.comparisons) };
  return { content, sides, lanes, compared, cards, races };
}

/** Of several pairs, one without a side is of an agent that one run alone has. */
function reasonOf(code: string, lanes: readonly LanePair[], at: number): string {
  if (code !== 'agent_unresolved' || lanes.length === 1) return code;
  return lanes[at]?.baseline === undefined ? 'not_in_baseline' : 'not_in_candidate';
}

function comparisonSide({ run }: ComparedRun, agent: RunAgent, reply: Reply): ComparisonSide {
  return {
    run_agent_id: agent.id,
    challenge_pack_version_id: run.challenge_pack_version_id,
    challenge_input_set_id: run.input_set.id,
    evaluation_spec_id: reply.evaluation_spec_id ?? run.evaluation_spec_id,
    // Stored as the library returned it.
    scorecard: reply.scorecard as RunAgentScorecard | null,
    is_stopped: isStoppedEarly(run, agent),
  };
}

function describe({ run, agents }: ComparedRun): RunComparison['baseline'] {
  return {
    run_id: run.id,
    ...(run.number !== undefined && { number: run.number }),
    name: run.name,
    selective_retry: false,
    ...readingNotes(run),
    agents: agents.map(({ id, name }) => ({ run_agent_id: id, name })),
  };
}
