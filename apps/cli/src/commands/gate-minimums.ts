import type { ExitCode } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { warnOfUnfinished } from '../comparison/compare-files.js';
import { GATE_EXITS } from '../comparison/gate-view.js';
import {
  type MinimumsDecision,
  minimumsJunit,
  minimumsMarkdown,
  minimumsView,
} from '../comparison/minimums-view.js';
import { asApiError } from '../lookup/as-api-error.js';
import { isResultsFile } from '../lookup/results-file.js';
import { runOfFile, scorecardOf } from '../lookup/run-source.js';
import { agentsOf, getRun } from '../lookup/runs.js';
import { type ReportFiles, writeReports } from '../reports/markdown.js';
import type { Session } from '../session/session.js';

type Scorecard = Awaited<ReturnType<typeof scorecardOf>>['scorecard'];

interface MinimumsInput extends ReportFiles {
  candidate: string;
  baseline?: string;
  policy?: string;
  agent?: string;
  baselineAgent?: string;
  min: Record<string, number>;
}

/** Decides by the scores of the candidate alone: of a run on a server, or of a file of results. Nothing is stored. */
export async function gateByMinimums(session: Session, input: MinimumsInput): Promise<ExitCode | undefined> {
  if ([input.baseline, input.policy, input.baselineAgent].some((given) => given !== undefined)) {
    throw new CommandError('usage', '--min decides without a baseline, and without a policy', {
      hint: 'Run the gate twice for both.',
    });
  }
  const decision = await decide(session, input);
  const { out } = session;
  out.result(decision, () => minimumsView(decision, out.paint));
  await writeReports(session, input, {
    junit: () => minimumsJunit(decision),
    markdown: () => minimumsMarkdown(decision),
  });
  return GATE_EXITS[decision.verdict];
}

async function decide(
  session: Session,
  { candidate, agent: name, min }: MinimumsInput,
): Promise<MinimumsDecision> {
  const { run, agents, scorecardOf: cardOf } = await candidateOf(session, candidate);
  const { decideByMinimums, namedAgent } = await import('@agentclash/run-scoring');
  const [only, ...others] = agents;
  if (name === undefined && others.length > 0) {
    throw new CommandError('usage', 'The run has several agents: name one with --agent', {
      choices: agents.map((each) => each.name),
    });
  }
  try {
    const agent = name === undefined && only !== undefined ? only : namedAgent({ run, agents }, name ?? '');
    const { scorecard } = await cardOf(agent.id);
    checkMeasures(Object.keys(min), agent.name, scorecard);
    const decided = decideByMinimums(min, { run, agent }, scorecard);
    return { ...decided, candidate_run_id: run.id, run_agent_id: agent.id, agent: agent.name };
  } catch (error) {
    throw asApiError(error);
  }
}

/** A measure of another name than the scorecard has is a wrong option. Without a scorecard no name is wrong. */
function checkMeasures(named: readonly string[], agent: string, scorecard: Scorecard): void {
  if (scorecard === null) return;
  const known = ['overall', 'pass_rate', ...Object.keys((scorecard.dimensions as object | undefined) ?? {})];
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CommandError('usage', `There is no measure "${unknown}" for --min`, {
    choices: known,
    hint: `These are the measures of ${agent}.`,
  });
}

async function candidateOf(session: Session, candidate: string) {
  if (isResultsFile(candidate)) {
    const found = await runOfFile(candidate);
    warnOfUnfinished(session, candidate, found);
    return found;
  }
  const client = await session.client();
  const run = await getRun(client, candidate);
  const agents = await agentsOf(client, run.id);
  return { run, agents, scorecardOf: (id: string) => scorecardOf(client, id) };
}
