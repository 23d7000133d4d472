import { hasVerdict, type LaneComparison, routes } from '@agentclash/api';
import { AUDIT_SHORTFALLS, EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { comparisonMarkdown, gateJunit, gateMarkdown } from '../comparison/comparison-reports.js';
import { comparisonView } from '../comparison/comparison-view.js';
import { gateView } from '../comparison/gate-view.js';
import { gateBaseline, sideOf } from '../lookup/baselines.js';
import { getRun } from '../lookup/runs.js';
import { checkReportFiles, type ReportFiles, writeReports } from '../reports/markdown.js';
import type { Session } from '../session/session.js';

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
  const client = await session.client();
  const compared = await client.call(routes.comparisons.compare, {
    query: {
      baseline: await sideOf(client, input.baseline),
      candidate: await sideOf(client, input.candidate),
      ...(agent && { agents: agent.join(',') }),
      ...(baselineAgent !== undefined && { baseline_agent: baselineAgent }),
      ...(candidateAgent !== undefined && { candidate_agent: candidateAgent }),
      ...(detect !== undefined && { detect }),
    },
  });
  session.out.result(compared, () => comparisonView(compared, session.out));
  if (markdown !== undefined) {
    const text = () => `${comparisonMarkdown(compared)}\n`;
    await writeReports(session, { markdown }, { junit: text, markdown: text });
  }
  const isConclusive = ({ comparable, race }: LaneComparison) =>
    comparable || (race !== undefined && hasVerdict(race));
  return compared.comparisons.some(isConclusive) ? undefined : EXIT_CODES.insufficient_evidence;
}

interface GateInput extends ReportFiles {
  candidate: string;
  baseline?: string;
  policy?: string;
  agent?: string;
  baselineAgent?: string;
}

const AUDIT_REASONS: ReadonlySet<string> = new Set(AUDIT_SHORTFALLS);

const EXITS = {
  pass: undefined,
  fail: EXIT_CODES.failed,
  warn: EXIT_CODES.warned,
  insufficient_evidence: EXIT_CODES.insufficient_evidence,
} as const;

/** Ends with what the gate decided. */
export async function runGate(session: Session, input: GateInput): Promise<ExitCode | undefined> {
  const { policy, agent, baselineAgent } = input;
  await checkReportFiles(input);
  const client = await session.client();
  const candidate = await getRun(client, input.candidate);
  const decision = await client.call(routes.gates.evaluate, {
    body: {
      ...(await gateBaseline(client, input.baseline)),
      candidate_run_id: candidate.id,
      ...(policy !== undefined && { policy }),
      ...(agent !== undefined && { candidate_agent: agent }),
      ...(baselineAgent !== undefined && { baseline_agent: baselineAgent }),
    },
  });
  const { comparison_id } = decision;
  const comparison = await client.call(routes.comparisons.get, { params: { comparison_id } });
  const { out } = session;
  out.result({ ...decision, comparison }, () =>
    [gateView(decision, out.paint), '', comparisonView(comparison, out)].join('\n'),
  );
  if (decision.reasons.some((reason) => AUDIT_REASONS.has(reason))) {
    const { slug, version_number } = candidate.pack;
    out.note(out.paint.dim(`Audit the version: agentclash challenge-pack audit ${slug}@${version_number}`));
  }
  await writeReports(session, input, {
    junit: () => gateJunit(decision),
    markdown: () => gateMarkdown(decision, comparison),
  });
  return EXITS[decision.verdict];
}
