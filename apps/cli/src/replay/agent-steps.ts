import { costText } from '@agentclash/api';
import {
  failedCallText,
  listedServerText,
  numberIn,
  type Payload,
  recordOf,
  recordsIn,
  refusedCallText,
  restrictedCallText,
  type StepPayload,
  textOf,
  textsIn,
} from '@agentclash/domain';
import { bytes, dollars, duration, plural } from '../terminal/figures.js';
import { errorOf, joined, type Line, type StepRenderers, usageText } from './rendered-step.js';

/** The actions of the agent: its run, its steps, the text of its model and the tools that it calls. */
export const AGENT_STEPS = {
  'system.run': (payload) => ({
    title: 'agent',
    subject: joined(agentText(payload), textOf(payload.model)),
    lines: [...conditions(payload), ['ended', ending(payload)], ['error', errorOf(payload)]],
  }),
  'system.step': (payload) => ({ title: `step ${numberIn(payload, 'step_index') ?? ''}` }),
  'system.output.finalized': (payload) => ({
    title: 'final output',
    subject: joined(textOf(payload.finished_by) && `by ${textOf(payload.finished_by)}`),
    lines: [['output', textOf(payload.final_output) || '(blank)']],
  }),
  'model.call': (payload) => ({
    title: 'model call',
    subject: joined(textOf(payload.response_model) || textOf(payload.model), tries(payload)),
    lines: [
      ...sentLines(recordOf(payload.sent)),
      ['text', payload.text],
      ...recordsIn(payload, 'tool_calls').map((call): Line => [`calls ${textOf(call.name)}`, call.arguments]),
      ['finish', unlessUsual(textOf(payload.finish_reason))],
      ['used', joined(usageText(recordOf(payload.usage)), cost(payload), firstToken(payload))],
      ['error', payload.class === undefined ? undefined : failedCallText(payload)],
    ],
  }),
  'model.call.refused': (payload) => ({
    title: 'request refused',
    lines: [['reason', refusedCallText(payload)]],
  }),
  'model.call.restricted': (payload) => ({
    title: 'request restricted',
    lines: [['reason', restrictedCallText(payload)]],
  }),
  'model.tool_calls.proposed': (payload) => ({
    title: 'tool calls proposed',
    subject: recordsIn(payload, 'tool_calls')
      .map((call) => textOf(call.name))
      .join(', '),
  }),
  'tool.server.listed': (payload) => ({
    title: 'tools of a server',
    lines: [['list', listedServerText(payload)]],
  }),
  'tool.call': (payload) => ({
    title: 'tool call',
    subject: joined(textOf(payload.tool_name), hops(payload)),
    lines: [
      ...members('', payload.arguments),
      ['error', errorOf(payload)],
      ['stage', textOf(payload.failure_origin)],
      ...members('→ ', news(payload)),
    ],
  }),
  'policy.violation': (payload) => ({
    title: 'policy violation',
    subject: textOf(payload.rule),
    lines: [['detail', textOf(payload.detail)]],
  }),
  'race.standings.injected': (payload) => ({
    title: 'race progress injected',
    subject: textOf(payload.trigger),
    lines: [['text', payload.text]],
  }),
} satisfies StepRenderers;

/**
 * The messages that are new to the model: texts whole; replies and results, which are in steps above, by their
 * number.
 */
function sentLines(sent: Payload): Line[] {
  const { $ref, bytes: size } = sent;
  if (typeof $ref === 'string') return [['sent', `${bytes(Number(size))}, too large to be shown: ${$ref}`]];
  const messages = recordsIn(sent, 'messages');
  const texts = messages.flatMap((message): Line[] => {
    const text = textOf(message.text);
    return text === '' ? [] : [[textOf(message.role), text]];
  });
  const tools = messages.filter((message) => textOf(message.role) === 'tool');
  // A program executes its tools by itself: no step above shows their results.
  const given = tools.flatMap((message): Line[] =>
    'result' in message ? [[`result of ${textOf(message.tool_name)}`, message.result]] : [],
  );
  const results = tools.filter((message) => !('result' in message));
  const names = results.map((message) => textOf(message.tool_name)).join(', ');
  return [...texts, ...given, ['sent back', names && `${plural(results.length, 'result')}: ${names}`]];
}

/** The limits and the policy of the agent. Without a sandbox there are no tools, hence no policy to show. */
function conditions(payload: StepPayload<'system.run'>): Line[] {
  const limits = recordOf(payload.limits);
  const seconds = numberIn(limits, 'run_timeout_seconds');
  const iterations = numberIn(limits, 'max_iterations');
  const limitsText = joined(
    seconds !== undefined && duration(seconds * 1_000),
    iterations !== undefined && plural(iterations, 'iteration'),
  );
  if (payload.sandbox === null || payload.sandbox === undefined) return [['limits', limitsText]];
  const sandbox = recordOf(payload.sandbox);
  const tools = recordsIn(payload, 'tools').map((tool) => textOf(tool.name));
  return [
    ['limits', limitsText],
    ['tools', tools.join(', ')],
    ['kinds', textsIn(recordOf(payload.policy), 'kinds').join(', ')],
    [
      'sandbox',
      joined(textOf(sandbox.provider), `network of its processes: ${textOf(sandbox.egress) || 'none'}`),
    ],
  ];
}

function ending(payload: StepPayload<'system.run'>): string {
  const outcome = textOf(payload.outcome);
  if (outcome === '') return '';
  const limit = textOf(payload.limit_kind);
  const by = textOf(payload.finished_by);
  return joined(
    `${outcome}${limit && ` (${limit})`}${by && by !== 'none' ? ` by ${by}` : ''}`,
    ...counts(payload),
    usageText(recordOf(payload.usage)),
    cost(payload),
    payload.will_retry === true && 'will be tried again',
  );
}

/** The kind of the agent and its mode, which an imported attempt does not have. */
function agentText(payload: StepPayload<'system.run'>): string {
  const [kind, mode] = [textOf(payload.kind), textOf(payload.mode)];
  if (mode !== '') return `${kind} in ${mode}`;
  const { imported } = payload as Payload;
  const format = textOf(recordOf(imported).format);
  return format === '' ? kind : `${kind} from ${format}`;
}

/** A program takes no steps, and its own tools are not counted: only those that the platform executes. */
function counts(payload: StepPayload<'system.run'>): string[] {
  const isProgram = textOf(payload.kind) === 'program';
  const calls = numberIn(payload, 'model_call_count');
  return [
    ...(isProgram ? [] : [plural(numberIn(payload, 'step_count') ?? 0, 'step')]),
    ...(calls === undefined ? [] : [plural(calls, 'model call')]),
    ...(payload.tool_call_count === null
      ? []
      : [
          `${plural(numberIn(payload, 'tool_call_count') ?? 0, 'tool call')}${isProgram ? ' through the platform' : ''}`,
        ]),
  ];
}

/** The members of an object one by one, so that texts read as such; what is no object, as it is. */
function members(mark: string, value: unknown): Line[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[mark.trim() || 'arguments', value]];
  return Object.entries(value).map(([name, member]): Line => [`${mark}${name}`, member]);
}

/** The result that the agent read, without its own messages and without the error, which is shown apart. */
function news(payload: StepPayload<'tool.call'>): unknown {
  if (typeof payload.result !== 'object' || payload.result === null || Array.isArray(payload.result))
    return payload.result;
  const given = recordOf(payload.arguments);
  const excluded = new Set(payload.error === undefined ? [] : ['error', 'code', 'path']);
  const fresh = Object.entries(payload.result).filter(
    ([name, value]) => !excluded.has(name) && JSON.stringify(given[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(fresh);
}

function hops(payload: StepPayload<'tool.call'>): string {
  const chain = recordsIn(payload, 'resolution_chain').map((hop) => textOf(hop.name));
  return chain.length > 1 ? `through ${chain.slice(1).join(' → ')}` : '';
}

function tries(payload: StepPayload<'model.call'>): string {
  const count = numberIn(payload, 'tries') ?? 1;
  return count > 1 ? `${count} tries` : '';
}

function cost(payload: {
  readonly cost_usd?: unknown;
  readonly cost_at_least_usd?: unknown;
  readonly usage?: unknown;
}): string {
  const isCostKnown = numberIn(payload, 'cost_usd') !== undefined;
  const costUsd = numberIn(payload, 'cost_usd') ?? numberIn(payload, 'cost_at_least_usd') ?? 0;
  const isCalled = Object.values(recordOf(payload.usage)).some((tokens) => tokens !== null);
  if (!isCostKnown && !isCalled && costUsd === 0) return '';
  return isCostKnown ? dollars(costUsd) : `cost ${costText({ costUsd, isCostKnown }, dollars)}`;
}

function firstToken(payload: StepPayload<'model.call'>): string {
  const ms = numberIn(recordOf(payload.timing), 'ttft_ms');
  return ms === undefined ? '' : `first token after ${duration(ms)}`;
}

function unlessUsual(reason: string): string {
  return reason === 'stop' || reason === 'tool_calls' ? '' : reason;
}
