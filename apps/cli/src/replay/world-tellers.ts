import { numberIn, type Payload, recordsIn, textOf, textsIn } from '@agentclash/domain';
import { bytes, duration, plural } from '../terminal/figures.js';
import { faultText, joined, type Line, type Teller } from './telling.js';

/** What happens around the agent: sandbox, network, traps, and the verifier that looks at what it left. */
export const WORLD_TELLERS = {
  'attempt.state_changed': (said) => ({
    title: 'attempt',
    subject: joined(`${textOf(said.from)} → ${textOf(said.to)}`, textOf(said.reason)),
  }),
  'sandbox.created': (said) => ({
    title: 'sandbox created',
    subject: joined(textOf(said.provider), textOf(said.image), took(said, 'boot_ms', 'in')),
  }),
  'sandbox.destroyed': (said) => ({
    title: 'sandbox destroyed',
    subject: joined(textOf(said.reason), took(said, 'lifetime_ms', 'after')),
  }),
  'sandbox.command': (said) => ({
    title: 'command',
    subject: textsIn(said, 'argv').map(quoted).join(' '),
    lines: [
      ['ended', commandEnd(said)],
      ['stdout', said.stdout_tail],
      ['stderr', said.stderr_tail],
      ['error', faultText(said)],
    ],
  }),
  'sandbox.file.read': fileTeller('file read'),
  'sandbox.file.written': fileTeller('file written'),
  'sandbox.file.listed': (said) => ({
    title: 'files listed',
    subject: joined(textOf(said.path), plural(numberIn(said, 'entries') ?? 0, 'file'), by(said)),
  }),
  'network.request.completed': (said) => ({
    title: 'request',
    subject: joined(
      `${request(said)}  ${numberIn(said, 'status') ?? ''}`,
      size(said),
      (numberIn(said, 'hops') ?? 0) > 0 && plural(numberIn(said, 'hops') ?? 0, 'redirect'),
    ),
  }),
  'network.request.blocked': (said) => ({
    title: 'request blocked',
    subject: joined(
      request(said),
      textOf(said.reason),
      (numberIn(said, 'count') ?? 1) > 1 && plural(numberIn(said, 'count') ?? 0, 'request'),
    ),
  }),
  'security.canary.planted': (said) => ({
    title: said.planted === false ? 'secret not planted' : 'secret planted',
    subject: joined(textOf(said.name), textOf(said.location)),
  }),
  'grader.verification.file_captured': (said) => ({
    title: 'file captured',
    subject: joined(textOf(said.path), said.exists === false ? 'absent' : size(said)),
    lines: [
      ['content', said.content],
      ['note', said.truncated === true ? 'only the beginning was kept' : undefined],
    ],
  }),
  'grader.verification.directory_listed': (said) => ({
    title: 'directory listed',
    subject: joined(textOf(said.path), said.exists === false && 'absent'),
    lines: [['entries', recordsIn(said, 'entries').map(entry).join('\n')]],
  }),
  'grader.verification.code_executed': (said) => ({
    title: 'tests run',
    subject: joined(textOf(said.validator_key), textOf(said.command)),
    lines: [
      ['ended', commandEnd(said)],
      ['stdout', said.stdout_tail],
      ['stderr', said.stderr_tail],
      ['report', said.report],
    ],
  }),
  scoring: (said) => ({
    title: 'scoring',
    subject: joined(revision(said), scoreText(said)),
    lines: [['error', faultText(said)]],
  }),
  'scoring.metric.recorded': (said) => ({
    title: 'metric',
    subject: joined(textOf(said.key), metricText(said)),
  }),
  'grader.verification.failed': (said) => ({
    title: 'verifier failed',
    subject: textOf(said.stage),
    lines: [['error', faultText(said)]],
  }),
} satisfies Record<string, Teller>;

function fileTeller(title: string): Teller {
  return (said) => ({ title, subject: joined(textOf(said.path), size(said), by(said)) });
}

/** Who wanted it, where it was not a tool: those are told by their call. */
function by(said: Payload): string {
  const origin = textOf(said.origin);
  return origin === '' || origin === 'tool' ? '' : `by ${origin}`;
}

function size(said: Payload): string {
  const value = numberIn(said, 'bytes');
  return value === undefined ? '' : bytes(value);
}

function took(said: Payload, name: string, word: string): string {
  const ms = numberIn(said, name);
  return ms === undefined ? '' : `${word} ${duration(ms)}`;
}

function request(said: Payload): string {
  const scheme = textOf(said.scheme);
  const port = numberIn(said, 'port');
  const isUsual = port === undefined || port === (scheme === 'https' ? 443 : 80);
  return `${textOf(said.method)} ${scheme}://${textOf(said.host)}${isUsual ? '' : `:${port}`}`;
}

function commandEnd(said: Payload): string {
  const code = numberIn(said, 'exit_code');
  return joined(
    code !== undefined && `exit code ${code}`,
    textOf(said.signal),
    said.timed_out === true && 'timed out',
    said.oom === true && 'out of memory',
    took(said, 'starved_ms', 'without its waits for CPU of'),
  );
}

function entry(said: Payload): Line[1] {
  return said.is_dir === true
    ? `${textOf(said.path)}/`
    : `${textOf(said.path)}  ${size({ bytes: said.size })}`;
}

/** As a shell would want it, where it would want something. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function revision(said: Payload): string {
  const number = numberIn(said, 'revision');
  return number === undefined ? '' : `revision ${number}`;
}

function scoreText(said: Payload): string {
  if (!('passed' in said)) return '';
  const verdict = { true: 'passed', false: 'failed' }[String(said.passed)] ?? 'no verdict';
  return joined(verdict, `overall ${numberIn(said, 'overall') ?? '-'}`, textOf(said.validity));
}

function metricText(said: Payload): string {
  const { value, state } = said;
  const isKnown = typeof value === 'number' || typeof value === 'boolean';
  return isKnown ? String(value) : typeof state === 'string' ? state : '';
}
