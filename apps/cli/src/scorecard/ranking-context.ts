import {
  type Attempt,
  type AuditCertificate,
  auditInWords,
  caseSubsetLine,
  packErrorLines,
  type Run,
  type RunAgent,
  runArgument,
  servedRepliesLine,
} from '@agentclash/api';
import { missingRankingMessage, type Ranking } from '../lookup/ranking.js';
import type { Look } from '../terminal/output.js';
import { raceLines } from './race-view.js';
import type { RankingOptions } from './ranking-table.js';

type Context = Pick<
  RankingOptions,
  'empty' | 'isSelective' | 'served' | 'subset' | 'packErrors' | 'differences' | 'race' | 'audit'
>;

/** The lanes of a run, its attempts that differ from recorded ones, its certificate, and how the ranking is laid out. */
interface RankedRun {
  agents: readonly RunAgent[];
  diverged: readonly Attempt[];
  audit: AuditCertificate | null;
  look: Look;
}

/** The facts of a run about its ranking, the same wherever the ranking is shown. */
export function rankingContext(run: Run, { agents, diverged, audit, look }: RankedRun): Context {
  return {
    empty: missingRankingMessage(run),
    isSelective: run.selective_retry,
    served: servedRepliesLine(run),
    subset: caseSubsetLine(run),
    packErrors: packErrorLines(run),
    differences: differenceLines(run, diverged),
    race: raceLines(run, agents, look),
    audit: certificateLine(run, audit),
  };
}

/** `sums version 2: not audited` */
export function certificateLine({ pack }: Run, audit: AuditCertificate | null): string {
  return `${pack.slug} version ${pack.version_number}: ${auditInWords(audit)}`;
}

/** The first difference between a replay and its recording, the number of further attempts that differ, and the next step. */
function differenceLines(run: Run, diverged: readonly Attempt[]): string[] {
  const [first, ...others] = diverged;
  if (first === undefined) return [];
  const { agent_name, case_key, repetition, error } = first;
  return [
    `replay differs: ${agent_name}, case ${case_key} #${repetition}: ${error?.message}`,
    ...(others.length === 0 ? [] : [furtherLine(others.length, run)]),
    `agentclash replay ${first.id}`,
  ];
}

function furtherLine(count: number, run: Run): string {
  const what = count === 1 ? '1 more attempt differs' : `${count} more attempts differ`;
  return `${what}: agentclash run attempts ${runArgument(run)} --outcome infra_error`;
}

/** The same for programs. */
export function rankingResult<R extends Ranking>(ranking: R, { pack_errors: errors = [] }: Run) {
  return { ...ranking, pack_errors: errors };
}

/** The spending of an agent, as far as it is known. */
interface Spending {
  tokens: number;
  /** Null where it is unknown, with the known part if there is one. */
  cost_usd: number | null;
  cost_at_least_usd?: number | undefined;
  /** Mean over its attempts that have ended; null where that is not known. */
  latency_ms: number | null;
  /** Percentiles of the same. */
  latency?: RunAgent['latency'];
}

/** By run agent. */
export type Spendings = ReadonlyMap<string, Spending>;

export function spendingsOf(agents: readonly RunAgent[], attempts: readonly Attempt[] = []): Spendings {
  const latencies = new Map<string, number[]>();
  for (const { run_agent_id: id, latency_ms: latency } of attempts) {
    if (latency === null) continue;
    const known = latencies.get(id);
    if (known === undefined) latencies.set(id, [latency]);
    else known.push(latency);
  }
  return new Map(
    agents.map(({ id, tally, latency }) => [
      id,
      {
        tokens: tally?.tokens ?? 0,
        cost_usd: tally?.cost_usd ?? null,
        cost_at_least_usd: tally?.cost_at_least_usd,
        latency_ms: mean(latencies.get(id) ?? []),
        ...(latency !== undefined && { latency }),
      },
    ]),
  );
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
