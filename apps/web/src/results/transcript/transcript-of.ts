import type { ReplayStep } from '@agentclash/api';
import { failedCallText, recordIn, recordOf, recordsIn, textIn, textOf } from '@agentclash/domain';
import { isProblem, stepTopic } from '../replay/steps.js';
import { replyKey } from '../replay/trace.js';
import { figuresOf } from './call-figures.js';
import { type ShownValue, shownAt } from './shown-value.js';
import { type ToolCall, type Turn, type TurnOf, timeOf } from './turns.js';

/**
 * The conversation of an attempt from the steps of its replay: what the agent was sent, its replies with the tools they
 * call and the results, and its output. Steps that are no part of it are left out.
 */
export function transcriptOf(steps: readonly ReplayStep[]): Turn[] {
  const fold = new Fold();
  for (const step of steps) (READERS[step.type] ?? readOther)(fold, step);
  fold.end(steps[0]);
  return fold.turns;
}

class Fold {
  readonly turns: Turn[] = [];
  /** Calls without a result, by their ids. */
  readonly waiting = new Map<string, ToolCall[]>();
  /** Replies of earlier calls. */
  readonly replies = new Set<string>();
  /** Texts of prompts that have not been sent to a model yet: a call repeats them. */
  readonly unsent: string[] = [];
  hasMessages = false;

  add(turn: Turn): void {
    this.turns.push(turn);
  }

  prompt(step: ReplayStep, role: TurnOf<'prompt'>['role'], text: ShownValue, note?: string): void {
    if (text.value === '' && text.whole === undefined) return;
    this.add({ kind: 'prompt', role, text, step: step.number, time: null, ...(note && { note }) });
  }

  /** The last turn of the agent itself. */
  get lastReply(): TurnOf<'reply'> | undefined {
    return this.turns.findLast((turn): turn is TurnOf<'reply'> => turn.kind === 'reply');
  }

  takeWaiting(id: string): ToolCall | undefined {
    return this.waiting.get(id)?.shift();
  }

  end(first: ReplayStep | undefined): void {
    if (first?.type !== 'system.run' || first.status !== 'failed') return;
    const message = textOf(recordOf(recordOf(first.result).error).message);
    const outcome = textOf(recordOf(first.result).outcome).replaceAll('_', ' ');
    const text = [outcome, message].filter(Boolean).join(': ');
    if (text !== '') this.add({ kind: 'note', text, isProblem: true, step: first.number, time: null });
  }
}

type Reader = (fold: Fold, step: ReplayStep) => void;

const READERS: Readonly<Record<string, Reader>> = {
  'system.run': (fold, step) => {
    const text = shownAt(step, ['input', 'task', 'instructions']);
    if (text) fold.prompt(step, 'user', text, 'task');
  },
  'model.call': readCall,
  'tool.call': readTool,
  'turn.user.message': (fold, step) => {
    const text = shownAt(step, ['result', 'message']);
    if (text === undefined) return;
    fold.unsent.push(textOf(text.value));
    fold.prompt(step, 'user', text, textOf(recordOf(step.result).actor));
  },
  'turn.assistant.message': (fold, step) => {
    const text = shownAt(step, ['result', 'message']);
    const last = fold.lastReply;
    if (text === undefined || (last && textOf(last.text?.value) === text.value)) return;
    fold.add({ kind: 'reply', text, calls: [], step: step.number, time: null });
  },
  'race.standings.injected': (fold, step) => {
    const text = shownAt(step, ['result', 'text']);
    if (text === undefined) return;
    fold.unsent.push(textOf(text.value));
    fold.prompt(step, 'user', text, 'race standings');
  },
  'sandbox.command': readCommand,
  'system.output.finalized': (fold, step) => {
    const text = shownAt(step, ['result', 'final_output']);
    if (text === undefined) return;
    const isShown = textOf(fold.lastReply?.text?.value).trim() === textOf(text.value).trim();
    if (!isShown || text.value === '') fold.add({ kind: 'output', text, step: step.number, time: null });
  },
};

/** Of other steps, problems alone are shown; those of grading have tables of their own. */
function readOther(fold: Fold, step: ReplayStep): void {
  if (!isProblem(step) || /^(?:grader|scoring)\b/.test(step.type)) return;
  const text = `${step.type}: ${stepTopic(step)}`;
  fold.add({ kind: 'note', text, isProblem: true, step: step.number, time: timeOf(step) });
}

function readCall(fold: Fold, step: ReplayStep): void {
  readSent(fold, step);
  const { number, status, result } = step;
  const time = timeOf(step);
  if (status === 'failed') {
    fold.add({ kind: 'note', text: failedCallText(recordOf(result)), isProblem: true, step: number, time });
    return;
  }
  const text = shownAt(step, ['result', 'text']);
  const calls = recordsIn(recordOf(result), 'tool_calls').map((call, index): ToolCall => {
    const id = textOf(call.id);
    const given = shownAt(step, ['result', 'tool_calls', index, 'arguments']) ?? { value: {} };
    const made = { key: `${index} ${id}`, name: textOf(call.name), arguments: given };
    const pending: ToolCall = { ...made, isFailed: false, durationMs: null };
    fold.waiting.set(id, [...(fold.waiting.get(id) ?? []), pending]);
    return pending;
  });
  fold.replies.add(replyKey(recordOf(result)));
  const shown = text === undefined || text.value === '' ? undefined : text;
  fold.add({
    ...{ kind: 'reply', calls, figures: figuresOf(step), step: number, time },
    ...(shown && { text: shown }),
    ...(status === 'open' && { isOpen: true }),
  });
}

/** The messages that a call adds to the conversation. */
function readSent(fold: Fold, step: ReplayStep): void {
  const sent = recordIn(recordOf(step.input), 'sent');
  if (sent === undefined) return;
  if (typeof sent.$ref === 'string') {
    const whole = shownAt(step, ['input', 'sent']);
    const text = 'messages that are stored separately';
    fold.add({
      kind: 'note',
      text,
      isProblem: false,
      step: step.number,
      time: null,
      ...(whole && { whole }),
    });
    return;
  }
  const messages = recordsIn(sent, 'messages');
  if (!fold.hasMessages && messages.some(({ role }) => role === 'user')) {
    // The first messages are the whole prompt, in place of the task.
    if (fold.turns.every(({ kind }) => kind === 'prompt')) fold.turns.length = 0;
    fold.unsent.length = 0;
    fold.hasMessages = true;
  }
  for (const [index, message] of messages.entries()) readMessage(fold, step, { index, message });
}

interface SentMessage {
  index: number;
  message: Readonly<Record<string, unknown>>;
}

function readMessage(fold: Fold, step: ReplayStep, { index, message }: SentMessage): void {
  const at = ['input', 'sent', 'messages', index];
  const role = textOf(message.role);
  if (role === 'tool') {
    if (!('result' in message)) return;
    const result = shownAt(step, [...at, 'result']) ?? { value: null };
    const call = fold.takeWaiting(textOf(message.tool_call_id));
    if (call) call.result = result;
    else fold.prompt(step, 'tool', result, textOf(message.tool_name));
    return;
  }
  const text = shownAt(step, [...at, 'text']);
  if (text === undefined) return;
  if (role === 'assistant') {
    const isReply = textIn(message, 'call_id') !== undefined || fold.replies.has(replyKey(message));
    if (!isReply) fold.prompt(step, 'assistant', text);
    return;
  }
  const known = fold.unsent.indexOf(textOf(text.value));
  if (known >= 0) fold.unsent.splice(known, 1);
  else fold.prompt(step, role === 'system' ? 'system' : 'user', text);
}

function readTool(fold: Fold, step: ReplayStep): void {
  const { input, result, status, duration_ms, number } = step;
  const id = textOf(recordOf(input).tool_call_id) || textOf(recordOf(result).tool_call_id);
  const shown =
    status === 'failed'
      ? (shownAt(step, ['result', 'error', 'message']) ?? shownAt(step, ['result', 'error']))
      : shownAt(step, ['result', 'result']);
  const end = {
    ...(shown && shown.value !== null && { result: shown }),
    ...{ isFailed: status === 'failed', durationMs: duration_ms },
  };
  const call = fold.takeWaiting(id);
  if (call) {
    Object.assign(call, end);
    return;
  }
  const name = textOf(recordOf(input).tool_name) || textOf(recordOf(result).tool_name);
  const given = shownAt(step, ['input', 'arguments']) ?? shownAt(step, ['result', 'arguments']);
  const made = { key: `${number} ${id}`, name, arguments: given ?? { value: {} }, ...end };
  fold.add({ kind: 'tool', calls: [made], step: number, time: timeOf(step) });
}

/** Of the agent's program; commands of tools are shown as their results. */
function readCommand(fold: Fold, step: ReplayStep): void {
  const [input, result] = [recordOf(step.input), recordOf(step.result)];
  if (input.origin !== 'program') return;
  const [output, errors] = [
    shownAt(step, ['result', 'stdout_tail']),
    shownAt(step, ['result', 'stderr_tail']),
  ];
  const { exit_code: code, timed_out, oom, signal } = result;
  const exit = [
    typeof code === 'number' && `exit code ${code}`,
    timed_out === true && 'timed out',
    oom === true && 'out of memory',
    textOf(signal),
    textOf(result.message),
  ];
  fold.add({
    ...{ kind: 'command', argv: stepTopic(step), exit: exit.filter(Boolean).join(', ') },
    ...(output && output.value !== '' && { output }),
    ...(errors && errors.value !== '' && { errors }),
    ...{ isFailed: step.status === 'failed' || (typeof code === 'number' && code !== 0) },
    ...{ step: step.number, time: timeOf(step) },
  });
}
