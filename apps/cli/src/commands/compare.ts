import { routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { comparisonMarkdown } from '../comparison/comparison-markdown.js';
import { comparisonView } from '../comparison/comparison-view.js';
import { sideOf } from '../lookup/baselines.js';
import { writeReports } from '../reports/write-report.js';
import type { Session } from '../session.js';

interface Input {
  baseline: string;
  candidate: string;
  agent?: string[];
  baselineAgent?: string;
  candidateAgent?: string;
  detect?: number;
  markdown?: string;
}

/** Ends with `insufficient_evidence` when nothing could be compared. */
export async function run(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { agent, baselineAgent, candidateAgent, detect, markdown } = input;
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
  session.out.result(compared, () => comparisonView(compared, session.out.paint));
  if (markdown !== undefined) {
    const text = () => `${comparisonMarkdown(compared)}\n`;
    await writeReports(session, { markdown }, { junit: text, markdown: text });
  }
  return compared.comparisons.some(({ comparable }) => comparable)
    ? undefined
    : EXIT_CODES.insufficient_evidence;
}
