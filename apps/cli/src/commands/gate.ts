import { routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { gateMarkdown } from '../comparison/comparison-markdown.js';
import { comparisonView } from '../comparison/comparison-view.js';
import { gateJunit } from '../comparison/gate-junit.js';
import { gateView } from '../comparison/gate-view.js';
import { gateBaseline } from '../lookup/baselines.js';
import { getRun } from '../lookup/runs.js';
import { type ReportFiles, writeReports } from '../reports/write-report.js';
import type { Session } from '../session.js';

interface Input extends ReportFiles {
  candidate: string;
  baseline?: string;
  policy?: string;
  agent?: string;
  baselineAgent?: string;
}

const EXITS = {
  pass: undefined,
  fail: EXIT_CODES.failed,
  warn: EXIT_CODES.warned,
  insufficient_evidence: EXIT_CODES.insufficient_evidence,
} as const;

/** Ends with what the gate decided. */
export async function run(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { policy, agent, baselineAgent } = input;
  const client = await session.client();
  const decision = await client.call(routes.gates.evaluate, {
    body: {
      ...(await gateBaseline(client, input.baseline)),
      candidate_run_id: (await getRun(client, input.candidate)).id,
      ...(policy !== undefined && { policy }),
      ...(agent !== undefined && { candidate_agent: agent }),
      ...(baselineAgent !== undefined && { baseline_agent: baselineAgent }),
    },
  });
  const { comparison_id } = decision;
  const comparison = await client.call(routes.comparisons.get, { params: { comparison_id } });
  await writeReports(session, input, {
    junit: () => gateJunit(decision),
    markdown: () => gateMarkdown(decision, comparison),
  });
  const { paint } = session.out;
  session.out.result({ ...decision, comparison }, () =>
    [gateView(decision, paint), '', comparisonView(comparison, paint)].join('\n'),
  );
  return EXITS[decision.verdict];
}
