import { isTooLarge, type Report, type ValidatorConfigs } from '@agentclash/challengepack';
import { pointTo } from '../evidence/pointer.js';
import { type CodeExecution, findExecution } from '../evidence/verification.js';
import { checkKeyOf } from './files.js';
import { type Finding, fail, graded, type Judgement, passIf, TOO_LARGE } from './judgement.js';
import { type Reading, type ReportMetrics, readReports, reportedMetrics } from './reports.js';
import { printedCounts, readJunit, type TestCounts } from './test-counts.js';
import { notCollected } from './text-target.js';
import type { ValidatorInput } from './validator.js';

type Config = ValidatorConfigs['code_execution'];

/** Where the counts of a test run were found; what it printed can be forged by the code under test. */
type CountsKind = 'report' | 'printed' | 'exit_code';

interface Decision {
  readonly judgement: Judgement;
  readonly kind?: CountsKind;
  readonly metrics?: Reading<ReportMetrics>;
}

export function codeExecution(input: ValidatorInput<'code_execution'>): Finding {
  const execution = findExecution(input.evidence.events, input.key);
  if (execution === undefined) return notCollected(input.evidence);
  const { judgement, kind, metrics } = decide(execution, input);
  const pointer = pointTo([execution], input.target === '' ? {} : { artifact: checkKeyOf(input.target) });
  return {
    ...judgement,
    ...(metrics && { metrics }),
    pointer: pointer && { ...pointer, ...(kind && { kind }) },
  };
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
