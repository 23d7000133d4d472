import { type GateDecision, routes } from '@agentclash/api';
import type { GateVerdict } from '@agentclash/domain';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { Badge, type Tone } from '../design/badge.js';
import { NOTHING } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { gateReasons } from '../results/reasons.js';
import { RunLink } from '../runs/run-name.js';
import css from './gates.module.css';
import { policyNotes } from './remarks.js';

const LOOKS: Record<GateVerdict, { tone: Tone; sign: string; words: string }> = {
  pass: { tone: 'good', sign: '✓', words: 'pass' },
  warn: { tone: 'warn', sign: '!', words: 'warn' },
  fail: { tone: 'bad', sign: '✗', words: 'fail' },
  insufficient_evidence: { tone: 'neutral', sign: '?', words: 'insufficient evidence' },
};

export function GateVerdictBadge({ verdict }: { verdict: GateVerdict }) {
  const { tone, sign, words } = LOOKS[verdict];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {words}
    </Badge>
  );
}

const PAGE = 20;

const VERDICT: Column<GateDecision> = {
  key: 'verdict',
  title: 'Verdict',
  cell: ({ verdict }) => <GateVerdictBadge verdict={verdict} />,
};
const CANDIDATE: Column<GateDecision> = {
  key: 'candidate',
  title: 'Candidate',
  cell: ({ candidate_run_id }) => <RunLink id={candidate_run_id} view="/gate" />,
};
const REST: readonly Column<GateDecision>[] = [
  {
    key: 'baseline',
    title: 'Baseline',
    cell: ({ baseline_run_id }) => <RunLink id={baseline_run_id} view="/ranking" />,
  },
  { key: 'reasons', title: 'Reasons', cell: (decision) => <Reasons decision={decision} /> },
  { key: 'policy', title: 'Policy', isMinor: true, cell: ({ policy }) => policy.name },
  {
    key: 'at',
    title: 'Decided',
    isMinor: true,
    cell: ({ decided_at, decided_by = NOTHING }) => (
      <>
        <Ago at={decided_at} /> by {decided_by}
      </>
    ),
  },
  {
    key: 'comparison',
    title: 'Evidence',
    cell: ({ comparison_id }) => <Link to={`/comparisons/${comparison_id}`}>Comparison</Link>,
  },
];

/** The reasons of a decision, then what the gate could not compare and the losses that it could detect. */
export function Reasons({ decision }: { decision: GateDecision }) {
  return (
    <ul className={css.reasons}>
      {gateReasons(decision).map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
      {policyNotes(decision).map((remark) => (
        <li key={remark} className={css.remark}>
          {remark}
        </li>
      ))}
    </ul>
  );
}

/** Gate decisions of one candidate or of all, newest first. */
export function Decisions({ candidateRunId }: { candidateRunId?: string }) {
  const query = {
    limit: PAGE,
    ...(candidateRunId !== undefined && { candidate_run_id: candidateRunId }),
  };
  const decisions = usePages(routes.gates.list, { query });
  return (
    <PagedTable
      what="decisions"
      columns={candidateRunId === undefined ? [CANDIDATE, VERDICT, ...REST] : [VERDICT, ...REST]}
      keyOf={({ comparison_id }) => comparison_id}
      of={decisions}
      isStacked
      empty={{ title: 'No decisions yet' }}
    />
  );
}
