import { numberIn, type Payload, recordsIn, textOf, textsIn } from '@agentclash/domain';
import { bytes, duration, plural } from '../terminal/figures.js';
import { errorText, joined, type Line, type StepRenderer, type StepRenderers } from './rendered-step.js';

/** The steps around the agent: sandbox, network, traps, and the verifier that looks at what it left. */
export const ENVIRONMENT_STEPS = {
  'attempt.state_changed': (payload) => ({
    title: 'attempt',
    subject: joined(`${textOf(payload.from)} → ${textOf(payload.to)}`, textOf(payload.reason)),
  }),
  'sandbox.image.progressed': (payload) => ({
    title: 'image',
    subject: joined(
      `${textOf(payload.phase)} ${textOf(payload.image)}`,
      payload.percent !== undefined && `${numberIn(payload, 'percent') ?? 0} %`,
      textOf(payload.line),
    ),
  }),
  'sandbox.created': (payload) => ({
    title: 'sandbox created',
    subject: joined(textOf(payload.provider), textOf(payload.image), took(payload, 'boot_ms', 'in')),
  }),
  'sandbox.destroyed': (payload) => ({
    title: 'sandbox destroyed',
    subject: joined(textOf(payload.reason), took(payload, 'lifetime_ms', 'after')),
  }),
  'sandbox.command': (payload) => ({
    title: 'command',
    subject: textsIn(payload, 'argv').map(quoted).join(' '),
    lines: [
      ['ended', commandEnd(payload)],
      ['stdout', payload.stdout_tail],
      ['stderr', payload.stderr_tail],
      ['error', errorText(payload)],
    ],
  }),
  'sandbox.file.read': fileRenderer('file read'),
  'sandbox.file.written': fileRenderer('file written'),
  'sandbox.file.listed': (payload) => ({
    title: 'files listed',
    subject: joined(textOf(payload.path), plural(numberIn(payload, 'entries') ?? 0, 'file'), by(payload)),
  }),
  'network.request.completed': (payload) => ({
    title: 'request',
    subject: joined(
      `${request(payload)}  ${numberIn(payload, 'status') ?? ''}`,
      size(payload),
      (numberIn(payload, 'hops') ?? 0) > 0 && plural(numberIn(payload, 'hops') ?? 0, 'redirect'),
    ),
  }),
  'network.request.blocked': (payload) => ({
    title: 'request blocked',
    subject: joined(
      request(payload),
      textOf(payload.reason),
      (numberIn(payload, 'count') ?? 1) > 1 && plural(numberIn(payload, 'count') ?? 0, 'request'),
    ),
  }),
  'security.canary.planted': (payload) => ({
    title: payload.planted === false ? 'secret not planted' : 'secret planted',
    subject: joined(textOf(payload.name), textOf(payload.location)),
  }),
  'grader.verification.file_captured': (payload) => ({
    title: 'file captured',
    subject: joined(textOf(payload.path), payload.exists === false ? 'absent' : size(payload)),
    lines: [
      ['content', payload.content],
      ['note', payload.truncated === true ? 'only the beginning was kept' : undefined],
    ],
  }),
  'grader.verification.directory_listed': (payload) => ({
    title: 'directory listed',
    subject: joined(textOf(payload.path), payload.exists === false && 'absent'),
    lines: [['entries', recordsIn(payload, 'entries').map(entry).join('\n')]],
  }),
  'grader.verification.code_executed': (payload) => ({
    title: 'tests run',
    subject: joined(textOf(payload.validator_key), textOf(payload.command)),
    lines: [
      ['ended', commandEnd(payload)],
      ['stdout', payload.stdout_tail],
      ['stderr', payload.stderr_tail],
      ['report', payload.report],
      ['reports', recordsIn(payload, 'reports').map(report).join('\n')],
    ],
  }),
  'grader.verification.script_executed': (payload) => ({
    title: 'script run',
    subject: joined(textOf(payload.validator_key), textOf(payload.runtime)),
    lines: [
      ['ended', commandEnd(payload)],
      ['stdout', payload.stdout],
      ['stderr', payload.stderr_tail],
    ],
  }),
  scoring: (payload) => ({
    title: 'scoring',
    subject: joined(revision(payload), scoreText(payload)),
    lines: [['error', errorText(payload)]],
  }),
  'scoring.metric.recorded': (payload) => ({
    title: 'metric',
    subject: joined(textOf(payload.key), metricText(payload)),
  }),
  'grader.verification.failed': (payload) => ({
    title: 'verifier failed',
    subject: textOf(payload.stage),
    lines: [['error', errorText(payload)]],
  }),
} satisfies StepRenderers;

function report({ path, state, text }: Payload): string {
  return `${textOf(path)} ${typeof text === 'string' ? text.trim() : textOf(state)}`;
}

function fileRenderer(title: string): StepRenderer<'sandbox.file.read' | 'sandbox.file.written'> {
  return (payload) => ({ title, subject: joined(textOf(payload.path), size(payload), by(payload)) });
}

/** Its caller, where it was not a tool: those are shown by their call. */
function by(payload: Payload): string {
  const origin = textOf(payload.origin);
  return origin === '' || origin === 'tool' ? '' : `by ${origin}`;
}

function size(payload: Payload): string {
  const value = numberIn(payload, 'bytes');
  return value === undefined ? '' : bytes(value);
}

function took(payload: Payload, name: string, word: string): string {
  const ms = numberIn(payload, name);
  return ms === undefined ? '' : `${word} ${duration(ms)}`;
}

function request(payload: Payload): string {
  const scheme = textOf(payload.scheme);
  const port = numberIn(payload, 'port');
  const isUsual = port === undefined || port === (scheme === 'https' ? 443 : 80);
  return `${textOf(payload.method)} ${scheme}://${textOf(payload.host)}${isUsual ? '' : `:${port}`}`;
}

function commandEnd(payload: Payload): string {
  const code = numberIn(payload, 'exit_code');
  return joined(
    code !== undefined && `exit code ${code}`,
    textOf(payload.signal),
    payload.timed_out === true && 'timed out',
    payload.oom === true && 'out of memory',
    took(payload, 'starved_ms', 'without its waits for CPU of'),
  );
}

function entry(payload: Payload): Line[1] {
  return payload.is_dir === true
    ? `${textOf(payload.path)}/`
    : `${textOf(payload.path)}  ${size({ bytes: payload.size })}`;
}

/** As a shell would want it, where it would want something. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function revision(payload: Payload): string {
  const number = numberIn(payload, 'revision');
  return number === undefined ? '' : `revision ${number}`;
}

function scoreText(payload: Payload): string {
  if (!('passed' in payload)) return '';
  const verdict = { true: 'passed', false: 'failed' }[String(payload.passed)] ?? 'no verdict';
  return joined(verdict, `overall ${numberIn(payload, 'overall') ?? '-'}`, textOf(payload.validity));
}

function metricText(payload: Payload): string {
  const { value, state } = payload;
  const isKnown = typeof value === 'number' || typeof value === 'boolean';
  return isKnown ? String(value) : typeof state === 'string' ? state : '';
}
