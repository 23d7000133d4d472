import { type JUnitCase, junitReport } from '../../reports/junit.js';
import { duration, plural } from '../../terminal/figures.js';
import type { Output, Paint } from '../../terminal/output.js';
import { oneLine, printable } from '../../terminal/printable.js';
import { fittedTable, layout } from '../../terminal/table.js';

type AuditReport = import('@agentclash/pack-audit').AuditReport;
type AuditCheck = import('@agentclash/pack-audit').AuditCheck;
type CheckSummary = import('@agentclash/pack-audit').CheckSummary;
type Finding = import('@agentclash/pack-audit').Finding;
type Problem = import('@agentclash/challengepack').Problem;

/** Notes are all in the JSON document; a person reads some. */
const NOTES_SHOWN = 10;
const DETAIL_INDENT = '      ';

/** The checks with their figures, the findings with the next step, and the result. */
export function auditText(report: AuditReport, out: Output): string {
  const { paint } = out;
  const { pack, checks, findings, options, duration_ms } = report;
  const rows = Object.entries(checks) as [AuditCheck, CheckSummary][];
  const summary = fittedTable(
    rows,
    [
      { title: 'CHECK', value: ([check]) => check },
      {
        title: 'STATE',
        value: ([, { state }]) => state,
        style: (text, [, { state }]) => STATES[state](paint)(text),
      },
      { title: 'TRIALS', value: ([, { trials }]) => String(trials), align: 'right' },
      { title: 'RESULT', value: ([, each]) => each.summary },
    ],
    layout(out),
  );
  const notes = findings.filter(({ severity }) => severity === 'note');
  const shown = [...findings.filter(({ severity }) => severity !== 'note'), ...notes.slice(0, NOTES_SHOWN)];
  const omitted =
    notes.length > NOTES_SHOWN ? [`and ${notes.length - NOTES_SHOWN} notes more, with --json`] : [];
  const cases =
    options.cases < options.cases_total
      ? `${options.cases} of ${plural(options.cases_total, 'case')}`
      : plural(options.cases, 'case');
  const result = report.interrupted ? `audit interrupted, ${report.result}` : `audit ${report.result}`;
  const verdict = `${STATES[report.result](paint)(result)} ${pack.slug} version ${pack.number}: ${cases}, ${(duration_ms / 1_000).toFixed(1)} s`;
  return [
    ...shown.map((finding, index) => findingText(finding, { paint, next: shown[index + 1] })),
    ...omitted.map((line) => paint.dim(line)),
    summary.text,
    ...raceLines(report, paint),
    '',
    verdict,
    paint.dim(`  ${pack.digest}`),
  ].join('\n');
}

/** The size of a race, by the limits of the pack. */
function raceLines({ race }: AuditReport, paint: Paint): string[] {
  if (!race) return [];
  const { attempts, calls_max, cost_max_usd: cost, seconds_max: seconds } = race;
  const calls = calls_max.agents + calls_max.users + calls_max.judges;
  const parts = [
    `${plural(attempts, 'attempt')} for each agent`,
    `at most ${plural(calls, 'model call')}`,
    cost === null ? 'cost without a limit' : `at most ${cost.toFixed(2)} USD`,
    `at most ${duration(seconds * 1_000)} one after the other`,
  ];
  return ['', paint.dim(`a race: ${parts.join(', ')}`)];
}

const STATES: Readonly<Record<CheckSummary['state'], (paint: Paint) => (text: string) => string>> = {
  passed: (paint) => paint.green,
  failed: (paint) => paint.red,
  incomplete: (paint) => paint.yellow,
  skipped: (paint) => paint.dim,
};

const SEVERITIES: Readonly<Record<Finding['severity'], (paint: Paint) => string>> = {
  error: (paint) => paint.red('error'),
  missing: (paint) => paint.yellow('missing'),
  warning: (paint) => paint.yellow('warning'),
  note: (paint) => paint.dim('note'),
};

/** Findings in a row have one fix below the last of them, where it is the same. */
function findingText(finding: Finding, { paint, next }: { paint: Paint; next: Finding | undefined }): string {
  const { severity, code, message, fix, detail, validators = [] } = finding;
  const head = `${SEVERITIES[severity](paint)} ${code} ${paint.bold(subjectOf(finding))} ${printable(message)}`;
  const graders = validators.length === 0 ? [] : [`validators: ${validators.join(', ')}`];
  const details = detail === undefined ? [] : printable(detail).split('\n');
  return [
    head,
    ...[...graders, ...details].map((line) => `${DETAIL_INDENT}${paint.dim(line)}`),
    ...(next?.fix === fix ? [] : [`${DETAIL_INDENT}${fix}`]),
  ].join('\n');
}

/** The case, the place in the document, or the cheat. */
function subjectOf(finding: Finding): string {
  const { location, case_key, input_set_key, other_case_keys = [], cheat, other_cheats = [] } = finding;
  if (location) return `${location.line}:${location.column} ${oneLine(location.field)}`.trimEnd();
  const more = other_case_keys.length > 0 ? ` and ${other_case_keys.length} more` : '';
  const subject = case_key === undefined ? '' : `${input_set_key}/${case_key}${more}`;
  const cheats = other_cheats.length > 0 ? `${cheat} and ${other_cheats.length} more cheats` : cheat;
  return [cheats, subject].filter(Boolean).join(' on ');
}

/** Each check is a test; so is each finding that is an error, or a check that could not be run. */
export function auditJunit({ pack, checks, findings }: AuditReport): string {
  const ofChecks = (Object.entries(checks) as [AuditCheck, CheckSummary][]).map(
    ([check, { state, summary }]): JUnitCase => ({
      classname: 'checks',
      name: check,
      outcome:
        state === 'passed'
          ? { kind: 'passed', note: summary }
          : { kind: KINDS[state], type: state, message: summary },
    }),
  );
  const ofFindings = findings.flatMap((finding): JUnitCase[] => {
    const { severity, code, message, check, fix } = finding;
    if (severity !== 'error' && severity !== 'missing') return [];
    const kind = severity === 'error' ? 'failure' : 'error';
    const name = `${code} ${subjectOf(finding)}`.trim();
    return [{ classname: check, name, outcome: { kind, type: code, message: `${message} ${fix}` } }];
  });
  return junitReport(`agentclash audit ${pack.slug}`, [...ofChecks, ...ofFindings]);
}

/** A document that is not valid: each problem is a failure. */
export function problemsJunit(file: string, problems: readonly Problem[]): string {
  const cases = problems.map(({ severity, code, message, field, line, column }): JUnitCase => {
    const text = field === '' ? message : `${field}: ${message}`;
    const isError = severity === 'error';
    return {
      classname: 'document',
      name: `${code} ${line}:${column}`,
      outcome: isError
        ? { kind: 'failure', type: code, message: text }
        : { kind: 'passed', note: `warning: ${text}` },
    };
  });
  return junitReport(`agentclash audit ${file}`, cases);
}

const KINDS = { failed: 'failure', incomplete: 'error', skipped: 'skipped' } as const;
