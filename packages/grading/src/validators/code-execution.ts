import { isTooLarge, type Report, type ValidatorConfigs } from '@agentclash/challengepack';
import { pointTo } from '../evidence/pointer.js';
import { type CodeExecution, findExecutions } from '../evidence/verification.js';
import { mean } from '../statistics/sample.js';
import { checkKeyOf } from './files.js';
import { harnessSetupError } from './harness-setup.js';
import { type Finding, fail, graded, type Judgement, passIf, TOO_LARGE } from './judgement.js';
import { type Reading, type ReportMetrics, readReports, reportedMetrics } from './reports.js';
import { printedCounts, readJunit, type TestCounts } from './test-counts.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

type Config = ValidatorConfigs['code_execution'];

/** Where the counts of a test run were found; what it printed can be forged by the code under test. */
type CountsKind = 'report' | 'printed' | 'exit_code';

interface Decision {
  readonly judgement: Judgement & { readonly detail?: string };
  readonly kind?: CountsKind;
  readonly metrics?: Reading<ReportMetrics>;
}

export function codeExecution(input: ValidatorInput<'code_execution'>): Finding {
  const executions = findExecutions(input.evidence.events, input.key);
  const { phases = 'mean' } = input.config;
  const counted = phases === 'final' ? executions.slice(-1) : executions;
  const decisions = counted.map((execution) => decide(execution, input));
  const [first, ...others] = decisions;
  if (first === undefined) return notCollected(input.evidence);
  const { judgement, kind, metrics } = others.length === 0 ? first : meanOf(decisions, input.config);
  const pointer = pointTo(counted, input.target === '' ? {} : { artifact: checkKeyOf(input.target) });
  return {
    ...judgement,
    ...(metrics && { metrics }),
    pointer: pointer && { ...pointer, ...(kind && { kind }) },
  };
}

/** Of the phases that were graded; one that cannot be judged leaves the others without a mean. */
function meanOf(decisions: readonly Decision[], { pass_threshold }: Config): Decision {
  const judgements = decisions.map(({ judgement }) => judgement);
  const unjudged = judgements.find((judgement) => judgement.kind === 'error');
  if (unjudged !== undefined) return { judgement: unjudged };
  const scored = judgements.filter((judgement) => judgement.kind === 'scored');
  const whole = graded(mean(scored.map(({ score }) => score)) ?? 0, pass_threshold);
  const why = scored.find(({ passed }) => !passed)?.reason;
  const isExplained = whole.kind === 'scored' && !whole.passed && why !== undefined;
  const kinds = new Set(decisions.map(({ kind }) => kind));
  const [kind] = kinds;
  return {
    judgement: isExplained ? { ...whole, reason: why } : whole,
    ...(kinds.size === 1 && kind !== undefined && { kind }),
    ...metricsOf(decisions),
  };
}

/** The mean of each metric; a phase that lacks it counts as 0. */
function metricsOf(decisions: readonly Decision[]): Pick<Decision, 'metrics'> {
  const readings = decisions.flatMap(({ metrics }) => metrics ?? []);
  if (readings.length === 0) return {};
  const unread = readings.find((reading) => !reading.ok);
  if (unread !== undefined) return { metrics: unread };
  const values = readings.flatMap((reading) => (reading.ok ? [reading.value] : []));
  const names = new Set(values.flatMap((metrics) => Object.keys(metrics)));
  const meanOfMetric = (name: string) => mean(values.map((metrics) => metrics[name] ?? 0)) ?? 0;
  const value = Object.fromEntries([...names].map((name) => [name, meanOfMetric(name)]));
  return { metrics: { ok: true, value } };
}

function decide(execution: CodeExecution, { type, config }: ValidatorInput<'code_execution'>): Decision {
  const { reports = [] } = config;
  if (reports.length > 0) return judgeReports(execution, config, reports);
  if (execution.timed_out) return { judgement: fail('test_timeout') };
  const printed = [execution.stdout_tail, execution.stderr_tail].filter((text) => text !== '').join('\n');
  if (isTooLarge(type, execution.report ?? '') || isTooLarge(type, printed)) return { judgement: TOO_LARGE };
  if (config.report_path !== undefined) {
    return { judgement: judgeReport(execution, config), kind: 'report' };
  }
  const counts = printedCounts(printed);
  if (counts !== null) return { judgement: judgeCounts(counts, execution, config), kind: 'printed' };
  return { judgement: passIf(execution.exit_code === 0, 'nonzero_exit'), kind: 'exit_code' };
}

/** The code under test may have written a malformed report: it scores 0, and is never missing data. */
function judgeReports(execution: CodeExecution, config: Config, reports: readonly Report[]): Decision {
  const kind = 'report';
  const hasMetrics = reports.some(({ format }) => format === 'reward_json');
  const withMetrics = (metrics: Reading<ReportMetrics>) => (hasMetrics ? { metrics } : {});
  if (execution.timed_out) {
    return { judgement: fail('test_timeout'), kind, ...withMetrics({ ok: false, reason: 'test_timeout' }) };
  }
  const { reports: collected } = execution;
  if (collected === undefined) {
    return { judgement: { kind: 'error', outcome: 'evaluator_error', reason: 'reports_not_collected' } };
  }
  const setupError = harnessSetupError(execution);
  if (setupError !== undefined) return { judgement: setupError, kind };
  const read = readReports(collected, reports);
  const metrics = withMetrics(reportedMetrics(collected));
  if (!read.ok) return { judgement: fail(read.reason), kind, ...metrics };
  if ('counts' in read.value)
    return { judgement: judgeCounts(read.value.counts, execution, config), kind, ...metrics };
  return { judgement: judgeShare(read.value.score, config), kind, ...metrics };
}

function judgeReport(execution: CodeExecution, config: Config): Judgement {
  if (execution.report === null) return fail('report_missing');
  const counts = readJunit(execution.report);
  return counts === null ? fail('report_unparsable') : judgeCounts(counts, execution, config);
}

function judgeCounts({ passed, total }: TestCounts, execution: CodeExecution, config: Config): Judgement {
  if (total === 0) return fail('no_tests_ran');
  if (passed === total && execution.exit_code !== 0) return fail('exit_code_mismatch');
  return judgeShare(passed / total, config);
}

function judgeShare(share: number, config: Config): Judgement {
  const score = config.scoring === 'all_or_nothing' ? Math.floor(share) : share;
  return graded(score, config.pass_threshold);
}
