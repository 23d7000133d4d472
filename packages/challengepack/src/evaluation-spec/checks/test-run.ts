import type { FieldPath } from '../../decode/field-path.js';
import type { Draft } from '../../decode/shape.js';
import type { ConfigDraft } from '../authored.js';
import { type Harness, type HarnessAdapter, usesHarness } from '../harness.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

/** Test runners that load the code under test into their own process. */
const RUNNERS =
  /\b(?:pytest|py\.test|unittest|nose2|tox|jest|vitest|mocha)\b|\bnode\s(?:.*\s)?--test\b|\bgo\s+test\b|\bcargo\s+(?:nex)?test\b/;

/** A test run is a command with a report, or a harness. */
export function checkTestRun(check: SpecCheck, config: ConfigDraft<'code_execution'>, at: FieldPath): void {
  const [commandAt, harnessAt] = [at.field('test_command'), at.field('harness')];
  const hasHarness = check.isWritten(config.harness, harnessAt);
  if (hasHarness && check.isWritten(config.test_command, commandAt)) {
    check.report('contradiction', commandAt, { message: 'a harness replaces this: give one of them' });
  }
  if (!hasHarness) check.require(config.test_command, commandAt);
  if (config.harness) checkHarness(check, config.harness, harnessAt);
  checkReports(check, config, { at, hasHarness });
}

/** Without a report file the counts are read from what the code under test prints. */
function checkReports(
  check: SpecCheck,
  config: ConfigDraft<'code_execution'>,
  { at, hasHarness }: { at: FieldPath; hasHarness: boolean },
): void {
  const [pathAt, reportsAt] = [at.field('report_path'), at.field('reports')];
  const isPathWritten = check.isWritten(config.report_path, pathAt);
  const hasReports = check.isFaulty(reportsAt) || (config.reports?.length ?? 0) > 0;
  if (hasHarness) {
    const written = isPathWritten ? pathAt : reportsAt;
    if (isPathWritten || hasReports)
      check.report('contradiction', written, { message: 'a harness writes its own report: leave this out' });
  } else if (!isPathWritten && !hasReports) {
    check.report('forgeable_counts', pathAt);
  } else if (isForgeable(config.test_command)) {
    check.report('forgeable_tests', at.field('test_command'));
  }
  if (isPathWritten && hasReports) {
    check.report('contradiction', reportsAt, { message: 'report_path is a report too: give one of them' });
  }
  eachEntry(config.reports, reportsAt, ({ format, metric }, reportAt) => {
    const metricAt = reportAt.field('metric');
    if (format === undefined || format === 'reward_json' || !check.isWritten(metric, metricAt)) return;
    check.report('contradiction', metricAt, { message: `a report of format ${format} has no metrics` });
  });
}

function isForgeable(command: string | undefined): boolean {
  return command !== undefined && !usesHarness(command) && RUNNERS.test(command);
}

type Part = 'code' | 'command' | 'function' | 'trust' | 'cpu_seconds';

/** The parts that an adapter needs, and those that it may have. */
const PARTS: Record<HarnessAdapter, { needs: readonly Part[]; takes: readonly Part[] }> = {
  pytest: { needs: ['code'], takes: ['trust', 'cpu_seconds'] },
  unittest: { needs: ['code'], takes: ['trust', 'cpu_seconds'] },
  calls: { needs: ['code'], takes: ['function', 'cpu_seconds'] },
  cases: { needs: ['command'], takes: ['cpu_seconds'] },
  node_test: { needs: ['code'], takes: ['cpu_seconds'] },
  go_test: { needs: ['code'], takes: ['trust', 'cpu_seconds'] },
  cargo_test: { needs: ['code'], takes: ['cpu_seconds'] },
};

const ONE_MODULE: ReadonlySet<HarnessAdapter> = new Set(['calls', 'node_test', 'go_test', 'cargo_test']);

function checkHarness(check: SpecCheck, harness: Draft<Harness>, at: FieldPath): void {
  const { adapter, code = [] } = harness;
  if (adapter === undefined) return;
  const { needs, takes } = PARTS[adapter];
  for (const part of needs) {
    const given = harness[part];
    check.require(Array.isArray(given) && given.length === 0 ? undefined : given, at.field(part));
  }
  for (const part of ['code', 'command', 'function', 'trust', 'cpu_seconds'] as const) {
    if (needs.includes(part) || takes.includes(part) || !check.isWritten(harness[part], at.field(part)))
      continue;
    check.report('contradiction', at.field(part), { message: `${adapter} takes no ${part}` });
  }
  if (ONE_MODULE.has(adapter) && code.length > 1) {
    const message = `${adapter} loads one module, which may load the others`;
    check.report('contradiction', at.field('code'), { message });
  }
  if (adapter === 'go_test' && harness.trust?.includes('equality')) {
    const message = 'go_test compares as Go does, by data: leave equality out';
    check.report('contradiction', at.field('trust'), { message });
  }
}
