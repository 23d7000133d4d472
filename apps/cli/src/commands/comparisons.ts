import { hasVerdict, type LaneComparison, type RunComparison, routes } from '@agentclash/api';

import { AUDIT_SHORTFALLS, EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { areResultsFiles, compareFiles, gateOnFiles } from '../comparison/compare-files.js';
import { comparisonMarkdown, gateJunit, gateMarkdown } from '../comparison/comparison-reports.js';
import { comparisonCsv, comparisonView } from '../comparison/comparison-view.js';
import { type Decided, GATE_EXITS, gateView } from '../comparison/gate-view.js';
import { gateBaseline, sideOf } from '../lookup/baselines.js';
import { isResultsFile } from '../lookup/results-file.js';
import { getRun } from '../lookup/runs.js';
import { checkReportFiles, type ReportFiles, writeReports } from '../reports/markdown.js';
import type { Session } from '../session/session.js';

import { gateByMinimums } from './gate-minimums.js';
import { readPolicyFile } from './resource/policy-file.js';

interface CompareInput {
  baseline: string;
  candidate: string;
  agent?: string[];
  baselineAgent?: string;
  candidateAgent?: string;
  detect?: number;
  markdown?: string;
}

/** Ends with `insufficient_evidence` when nothing could be compared. */
export async function compareRuns(session: Session, input: CompareInput): Promise<ExitCode | undefined> {
  const { agent, baselineAgent, candidateAgent, detect, markdown } = input;
  if (markdown !== undefined) await checkReportFiles({ markdown });
  const choice = {
    ...(agent && { agents: agent.join(',') }),
    ...(baselineAgent !== undefined && { baseline_agent: baselineAgent }),
    ...(candidateAgent !== undefined && { candidate_agent: candidateAgent }),
    ...(detect !== undefined && { detect }),
  };
  const compared = areResultsFiles(input)
    ? await compareFiles(session, input, choice)
    : await compareOnServer(session, input, choice);
  session.out.result(
    compared,
    () => comparisonView(compared, session.out),
    () => comparisonCsv(compared),
  );
  if (markdown !== undefined) {
    const text = () => `${comparisonMarkdown(compared)}\n`;
    await writeReports(session, { markdown }, { junit: text, markdown: text });
  }
  const isConclusive = ({ comparable, race }: LaneComparison) =>
    comparable || (race !== undefined && hasVerdict(race));
  return compared.comparisons.some(isConclusive) ? undefined : EXIT_CODES.insufficient_evidence;
}

async function compareOnServer(
  session: Session,
  sides: { baseline: string; candidate: string },
  choice: object,
): Promise<RunComparison> {
  const client = await session.client();
  const [baseline, candidate] = [await sideOf(client, sides.baseline), await sideOf(client, sides.candidate)];
  return await client.call(routes.comparisons.compare, { query: { baseline, candidate, ...choice } });
}

interface GateInput extends ReportFiles {
  candidate: string;
  baseline?: string;
  policy?: string;
  agent?: string;
  baselineAgent?: string;
  min?: Record<string, number>;
}

const AUDIT_REASONS: ReadonlySet<string> = new Set(AUDIT_SHORTFALLS);

/** Ends with what the gate decided. */
export async function runGate(session: Session, input: GateInput): Promise<ExitCode | undefined> {
  await checkReportFiles(input);
  if (input.min !== undefined) return await gateByMinimums(session, { ...input, min: input.min });
  const { out } = session;
  const decided = isResultsFile(input.candidate)
    ? await decidedOnFiles(session, input)
    : await decidedOnServer(session, input);
  if (decided === undefined) return EXIT_CODES.usage;
  const { decision, comparison, audit } = decided;
  out.result({ ...decision, comparison }, () =>
    [gateView(decision, out.paint), '', comparisonView(comparison, out)].join('\n'),
  );
  if (audit !== undefined && decision.reasons.some((reason) => AUDIT_REASONS.has(reason))) {
    out.note(out.paint.dim(audit));
  }
  await writeReports(session, input, {
    junit: () => gateJunit(decision),
    markdown: () => gateMarkdown(decision, comparison),
  });
  return GATE_EXITS[decision.verdict];
}

interface DecidedGate {
  decision: Decided;
  comparison: RunComparison;
  /** The next step where the version of the runs lacks an audit. */
  audit: string;
}

async function decidedOnServer(session: Session, input: GateInput): Promise<DecidedGate> {
  const { policy, agent, baselineAgent } = input;
  const client = await session.client();
  const { id, pack } = await getRun(client, input.candidate);
  const decision = await client.call(routes.gates.evaluate, {
    body: {
      ...(await gateBaseline(client, input.baseline)),
      candidate_run_id: id,
      ...(policy !== undefined && { policy }),
      ...(agent !== undefined && { candidate_agent: agent }),
      ...(baselineAgent !== undefined && { baseline_agent: baselineAgent }),
    },
  });
  const { comparison_id } = decision;
  const comparison = await client.call(routes.comparisons.get, { params: { comparison_id } });
  const audit = `Audit the version: agentclash challenge-pack audit ${pack.slug}@${pack.version_number}`;
  return { decision, comparison, audit };
}

/** Undefined for a policy that is not valid, whose problems are printed. */
async function decidedOnFiles(session: Session, input: GateInput): Promise<DecidedGate | undefined> {
  const { baseline, candidate, policy, agent, baselineAgent } = input;
  if (baseline === undefined) {
    throw new CommandError('usage', `Nothing is given that ${candidate} is to be measured by`, {
      hint: 'Name the file of a baseline with --baseline, or the least scores: --min overall=0.9',
    });
  }
  areResultsFiles({ baseline, candidate });
  const read = policy === undefined ? { spec: undefined } : await readPolicyFile(session, policy);
  if (read === undefined) return undefined;
  const choice = { candidate_agent: agent, baseline_agent: baselineAgent, spec: read.spec };
  const { comparison, ...decision } = await gateOnFiles(session, { baseline, candidate }, choice);
  return { decision, comparison, audit: 'Audits of a pack are stored on a server, not in files of results.' };
}
