import type { Attempt, ScorecardReply } from '@agentclash/api';
import { count, duration, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { table } from '../terminal/table.js';
import { AttemptCard, type ValidatorRow } from './attempt-card.js';
import { comparedLines, type EvidenceEvent, evidenceLines } from './compared-lines.js';
import { attemptScore, attemptVerdict, attemptVerdictColor } from './grading.js';

/** An attempt with its scorecard, and the events that its evidence points into where they were fetched. */
export interface ShownAttempt {
  attempt: Attempt;
  reply: ScorecardReply;
  events?: readonly EvidenceEvent[];
}

/** One attempt's scorecard: every dimension, and every validator with the events that it judged. */
export function cardView({ attempt, reply, events = [] }: ShownAttempt, paint: Paint): string {
  const { agent_name: agent, case_key: caseKey, repetition, id } = attempt;
  const title = paint.bold(`${oneLine(agent)}  ${oneLine(caseKey)} #${repetition}`);
  const source = paint.dim(`attempt ${id}${reply.revision === null ? '' : `, revision ${reply.revision}`}`);
  return [`${title}  ${source}`, outcomeLine(attempt), ...body({ attempt, reply, events }, paint)]
    .map((line) => line.trimEnd())
    .join('\n');
}

function outcomeLine({ outcome, state, limit_kind: limit, error, latency_ms: latency }: Attempt): string {
  const what = outcome === null ? state : `${outcome}${limit === null ? '' : ` (${limit})`}`;
  const why = error === null ? '' : `  ${error.code}: ${oneLine(error.message)}`;
  return `${what}  ${duration(latency)}${why}`;
}

function body(
  { attempt: { outcome, pack_error: broken }, reply, events }: Required<ShownAttempt>,
  paint: Paint,
): string[] {
  const { state, scorecard, failure } = reply;
  if (state === 'pending') return ['Not scored yet.'];
  const card = AttemptCard.safeParse(scorecard);
  if (!card.success) {
    const why = failure === null ? 'its scorecard cannot be read' : `${failure.code}: ${failure.message}`;
    return [paint.red(`No scorecard: ${oneLine(why)}`)];
  }
  const { passed, overall, reason, validity, strategy, warnings } = card.data;
  const graded = { outcome, passed, validity };
  const verdict = attemptVerdictColor(graded, paint)(attemptVerdict(graded));
  return [
    ...(broken === undefined ? [] : [paint.red(oneLine(broken.message))]),
    `${verdict} (${reason})  overall ${score(attemptScore({ ...graded, overall }))}  ${validity}  ${paint.dim(strategy)}`,
    ...section(card.data.security?.incidents ?? [], () => incidentTable(card.data, paint)),
    '',
    dimensionTable(card.data, paint),
    ...section(card.data.validators, () => validatorTable(card.data.validators, paint)),
    ...comparedLines(card.data.validators).map((line) => `  ${line}`),
    ...evidenceLines(card.data.validators, events).map((line) => paint.dim(`  ${line}`)),
    ...section(card.data.judges, () => judgeTable(card.data, paint)),
    ...section(card.data.metrics, () => metricTable(card.data, paint)),
    ...warnings.map((warning) => paint.yellow(oneLine(warning))),
  ];
}

function section(rows: readonly unknown[], view: () => string): string[] {
  return rows.length === 0 ? [] : ['', view()];
}

function incidentTable({ security }: AttemptCard, paint: Paint): string {
  return table(
    security?.incidents ?? [],
    [
      { title: 'INCIDENT', value: ({ kind }) => kind, style: paint.red },
      { title: 'OF', value: ({ name }) => name },
      { title: 'SEVERITY', value: ({ severity }) => severity },
      {
        title: 'WHERE',
        value: ({ evidence, file }) => {
          const locations = [...(evidence === null ? [] : [pointerText(evidence)]), ...(file ? [file] : [])];
          return locations.length === 0 ? 'task or workspace' : locations.join(', ');
        },
      },
    ],
    { heading: paint.dim },
  );
}

function dimensionTable({ dimensions }: AttemptCard, paint: Paint): string {
  return table(
    dimensions,
    [
      { title: 'DIMENSION', value: ({ key }) => key, style: paint.bold },
      { title: 'SCORE', value: (row) => score(row.score), align: 'right' },
      { title: 'WEIGHT', value: ({ weight }) => String(weight), align: 'right' },
      { title: 'BAR', value: ({ gate, pass_threshold: bar }) => `${gate ? 'gate ' : ''}${bar ?? ''}` },
      { title: 'HOLDS', value: ({ gate_passed: holds }) => (holds === null ? '' : holds ? 'yes' : 'no') },
      {
        title: 'MEASURED',
        value: ({ raw }) => (raw === null ? '' : `${figure(raw.value)} ${raw.unit ?? ''}`),
      },
      { title: 'FROM', value: ({ source }) => source },
      { title: 'WHY', value: ({ state, reason }) => whyText(state === 'available', state, reason) },
    ],
    { heading: paint.dim },
  );
}

function validatorTable(validators: readonly ValidatorRow[], paint: Paint): string {
  return table(
    validators,
    [
      { title: 'VALIDATOR', value: ({ key }) => key, style: paint.bold },
      { title: 'TYPE', value: ({ type }) => type },
      {
        title: 'VERDICT',
        value: ({ verdict, state }) => verdict ?? state,
        style: (text, { verdict }) =>
          (verdict === 'pass' ? paint.green : verdict === 'fail' ? paint.red : paint.yellow)(text),
      },
      { title: 'SCORE', value: (row) => score(row.score), align: 'right' },
      { title: 'OUTCOME', value: ({ outcome }) => outcome },
      { title: 'EVIDENCE', value: evidenceText },
      { title: 'WHY', value: ({ reason }) => reason ?? '' },
    ],
    { heading: paint.dim },
  );
}

/** The events of the attempt's replay that were judged. */
function evidenceText({ evidence }: ValidatorRow): string {
  return evidence === null ? '-' : pointerText(evidence);
}

function pointerText(evidence: NonNullable<ValidatorRow['evidence']>): string {
  const { from_sequence: from, to_sequence: to, artifact, kind } = evidence;
  const events = from === to ? `event ${from}` : `events ${from}-${to}`;
  return [events, ...(artifact ? [`capture ${artifact}`] : []), ...(kind ? [`by ${kind}`] : [])].join(', ');
}

function judgeTable({ judges }: AttemptCard, paint: Paint): string {
  return table(
    judges,
    [
      { title: 'JUDGE', value: ({ key }) => key, style: paint.bold },
      { title: 'MODE', value: ({ mode }) => mode },
      { title: 'SCORE', value: (row) => score(row.score), align: 'right' },
      { title: 'CONFIDENCE', value: ({ confidence }) => confidence ?? '-' },
      { title: 'WHY', value: ({ state, reason }) => whyText(state === 'scored', state, reason) },
    ],
    { heading: paint.dim },
  );
}

function metricTable({ metrics }: AttemptCard, paint: Paint): string {
  return table(
    metrics,
    [
      { title: 'METRIC', value: ({ key }) => key, style: paint.bold },
      {
        title: 'VALUE',
        value: ({ value, unit }) =>
          `${typeof value === 'number' ? figure(value) : (value ?? '-')} ${unit ?? ''}`.trimEnd(),
        align: 'right',
      },
      { title: 'FROM', value: ({ collector }) => collector },
      { title: 'WHY', value: ({ state, reason }) => whyText(state === 'available', state, reason) },
    ],
    { heading: paint.dim },
  );
}

function whyText(isUsual: boolean, state: string, reason: string | null): string {
  return isUsual ? (reason ?? '') : [state, reason].filter(Boolean).join(': ');
}

function figure(value: number): string {
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}
