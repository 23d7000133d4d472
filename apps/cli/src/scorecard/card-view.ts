import type { Attempt, ScorecardReply } from '@agentclash/api';
import { count, duration, score } from '../terminal/figures.js';
import type { Look, Paint } from '../terminal/output.js';
import { csvTable } from '../terminal/print-table.js';
import { oneLine } from '../terminal/printable.js';
import { type Column, layout, table } from '../terminal/table.js';
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
export function cardView({ attempt, reply, events = [] }: ShownAttempt, look: Look): string {
  const { paint } = look;
  const { agent_name: agent, case_key: caseKey, challenge_key: challenge, repetition, id } = attempt;
  const title = paint.bold(`${oneLine(agent)}  ${oneLine(caseKey)} #${repetition}`);
  const ofChallenge = challenge === undefined ? '' : `challenge ${oneLine(challenge)}, `;
  const source = paint.dim(
    `${ofChallenge}attempt ${id}${reply.revision === null ? '' : `, revision ${reply.revision}`}`,
  );
  return [`${title}  ${source}`, outcomeLine(attempt), ...body({ attempt, reply, events }, look)]
    .map((line) => line.trimEnd())
    .join('\n');
}

function outcomeLine(attempt: Attempt): string {
  const { outcome, state, limit_kind: limit, error, latency_ms: latency, served_calls: served = 0 } = attempt;
  const ending = outcome === null ? state : `${outcome}${limit === null ? '' : ` (${limit})`}`;
  const what = attempt.imported ? `${ending}, imported` : ending;
  const why = error === null ? '' : `  ${error.code}: ${oneLine(error.message)}`;
  const calls =
    served === 0 ? '' : `  ${served} ${served === 1 ? 'reply' : 'replies'} of models served without a call`;
  return `${what}  ${duration(latency)}${calls}${why}`;
}

function body(
  { attempt: { outcome, pack_error: broken }, reply, events }: Required<ShownAttempt>,
  look: Look,
): string[] {
  const { paint } = look;
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
    ...section(card.data.security?.incidents ?? [], () => incidentTable(card.data, look)),
    '',
    dimensionTable(card.data, look),
    ...section(card.data.validators, () => validatorTable(card.data.validators, look)),
    ...comparedLines(card.data.validators).map((line) => `  ${line}`),
    ...evidenceLines(card.data.validators, events).map((line) => paint.dim(`  ${line}`)),
    ...section(card.data.judges, () => judgeTable(card.data, look)),
    ...section(card.data.metrics, () => metricTable(card.data, look)),
    ...warnings.map((warning) => paint.yellow(oneLine(warning))),
  ];
}

function section(rows: readonly unknown[], view: () => string): string[] {
  return rows.length === 0 ? [] : ['', view()];
}

function incidentTable({ security }: AttemptCard, look: Look): string {
  const { paint } = look;
  return table(
    security?.incidents ?? [],
    [
      { title: 'INCIDENT', value: ({ kind }) => kind, style: paint.red },
      { title: 'OF', value: ({ name }) => name, cutTo: 12 },
      { title: 'SEVERITY', value: ({ severity }) => severity },
      {
        title: 'WHERE',
        value: ({ evidence, file }) => {
          const locations = [...(evidence === null ? [] : [pointerText(evidence)]), ...(file ? [file] : [])];
          return locations.length === 0 ? 'task or workspace' : locations.join(', ');
        },
        cutTo: 16,
      },
    ],
    layout(look),
  );
}

function dimensionTable({ dimensions }: AttemptCard, look: Look): string {
  const { paint } = look;
  return table(
    dimensions,
    [
      { title: 'DIMENSION', value: ({ key }) => key, style: paint.bold, cutTo: 12 },
      { title: 'SCORE', value: (row) => score(row.score), align: 'right' },
      { title: 'WEIGHT', value: ({ weight }) => String(weight), align: 'right', leaveOut: 1 },
      { title: 'BAR', value: ({ gate, pass_threshold: bar }) => `${gate ? 'gate ' : ''}${bar ?? ''}` },
      { title: 'HOLDS', value: ({ gate_passed: holds }) => (holds === null ? '' : holds ? 'yes' : 'no') },
      {
        title: 'MEASURED',
        value: ({ raw }) => (raw === null ? '' : `${figure(raw.value)} ${raw.unit ?? ''}`),
      },
      { title: 'FROM', value: ({ source }) => source, cutTo: 10 },
      {
        title: 'WHY',
        value: ({ state, reason }) => whyText(state === 'available', state, reason),
        cutTo: 12,
      },
    ],
    layout(look),
  );
}

function validatorTable(validators: readonly ValidatorRow[], look: Look): string {
  return table(validators, validatorColumns(look.paint), layout(look));
}

/** The verdicts of the validators, one line of CSV each; none without a scorecard. */
export function validatorCsv({ scorecard }: ScorecardReply, { paint }: Look): string {
  const card = AttemptCard.safeParse(scorecard);
  return csvTable(card.success ? card.data.validators : [], validatorColumns(paint));
}

function validatorColumns(paint: Paint): Column<ValidatorRow>[] {
  return [
    { title: 'VALIDATOR', value: ({ key }) => key, style: paint.bold, cutTo: 12 },
    { title: 'TYPE', value: ({ type }) => type, cutTo: 10 },
    {
      title: 'VERDICT',
      value: ({ verdict, state }) => verdict ?? state,
      style: (text, { verdict }) =>
        (verdict === 'pass' ? paint.green : verdict === 'fail' ? paint.red : paint.yellow)(text),
    },
    { title: 'SCORE', value: (row) => score(row.score), data: (row) => row.score, align: 'right' },
    { title: 'OUTCOME', value: ({ outcome }) => outcome, cutTo: 10 },
    { title: 'EVIDENCE', value: evidenceText, cutTo: 10 },
    {
      title: 'WHY',
      value: ({ reason, detail = '' }) => [reason ?? '', oneLine(detail)].filter(Boolean).join(': '),
      cutTo: 10,
    },
  ];
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

function judgeTable({ judges }: AttemptCard, look: Look): string {
  const { paint } = look;
  return table(
    judges,
    [
      { title: 'JUDGE', value: ({ key }) => key, style: paint.bold, cutTo: 12 },
      { title: 'MODE', value: ({ mode }) => mode },
      { title: 'SCORE', value: (row) => score(row.score), align: 'right' },
      { title: 'CONFIDENCE', value: ({ confidence }) => confidence ?? '-' },
      { title: 'WHY', value: ({ state, reason }) => whyText(state === 'scored', state, reason), cutTo: 12 },
    ],
    layout(look),
  );
}

function metricTable({ metrics }: AttemptCard, look: Look): string {
  const { paint } = look;
  return table(
    metrics,
    [
      { title: 'METRIC', value: ({ key }) => key, style: paint.bold, cutTo: 12 },
      {
        title: 'VALUE',
        value: ({ value, unit }) =>
          `${typeof value === 'number' ? figure(value) : (value ?? '-')} ${unit ?? ''}`.trimEnd(),
        align: 'right',
      },
      { title: 'FROM', value: ({ collector }) => collector, cutTo: 10 },
      {
        title: 'WHY',
        value: ({ state, reason }) => whyText(state === 'available', state, reason),
        cutTo: 12,
      },
    ],
    layout(look),
  );
}

function whyText(isUsual: boolean, state: string, reason: string | null): string {
  return isUsual ? (reason ?? '') : [state, reason].filter(Boolean).join(': ');
}

function figure(value: number): string {
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(4)));
}
