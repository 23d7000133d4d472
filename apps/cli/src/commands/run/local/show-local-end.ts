import { type Run, VariantComparison } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { showEnd } from '../../../follow/run-end.js';
import { RankingRow } from '../../../lookup/ranking.js';
import type { Session } from '../../../session/session.js';
import type { ConductedRun } from './conduct-run.js';

interface LocalEnd extends ConductedRun {
  file: string;
  shown: Run['warnings'];
}

/** Shows the ranking of a run in this process; `--json` prints run, lanes, ranking and the name of the file. */
export function showLocalEnd(session: Session, { end, failedAttempt, file, shown }: LocalEnd): ExitCode {
  const { run, agents, ranking } = end;
  const { items, judges, variants } = ranking;
  session.out.document({ results: file, run, agents, ranking: { items, judges, variants } });
  const rows = items.map((item) => RankingRow.parse(item));
  return showEnd(session, {
    ...{ run, agents, shown, diverged: [], audit: null },
    ranking: {
      run_id: run.id,
      state: 'ready',
      revision: 1,
      items: rows,
      variants: VariantComparison.array().parse(variants),
    },
    hints: [
      `agentclash eval scorecard ${file}`,
      ...(failedAttempt === undefined
        ? []
        : [`agentclash eval scorecard ${file} --attempt ${failedAttempt}`]),
    ],
    attempts: `agentclash run attempts ${file}`,
  });
}
