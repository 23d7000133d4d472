import { numberIn, type Payload, recordOf, recordsIn, textOf, textsIn } from '@agentclash/domain';
import { bytes, dollars, duration, plural } from '../terminal/figures.js';
import { errorOf, faultText, joined, type Line, type Teller, usageText } from './telling.js';

/** What the agent does: its run, its steps, what its model says and the tools that it calls. */
export const AGENT_TELLERS = {
  'system.run': (said) => ({
    title: 'agent',
    subject: joined(`${textOf(said.kind)} in ${textOf(said.mode)}`, textOf(said.model)),
    lines: [...conditions(said), ['ended', ending(said)], ['error', errorOf(said)]],
  }),
  'system.step': (said) => ({ title: `step ${numberIn(said, 'step_index') ?? ''}` }),
  'system.output.finalized': (said) => ({
    title: 'final output',
    subject: joined(textOf(said.finished_by) && `by ${textOf(said.finished_by)}`),
    lines: [['output', textOf(said.final_output) || '(blank)']],
  }),
  'model.call': (said) => ({
    title: 'model call',
    subject: joined(textOf(said.response_model) || textOf(said.model), tries(said)),
    lines: [
      ...sentLines(recordOf(said.sent)),
      ['says', said.text],
      ...recordsIn(said, 'tool_calls').map((call): Line => [`calls ${textOf(call.name)}`, call.arguments]),
      ['finish', unlessUsual(textOf(said.finish_reason))],
      ['used', joined(usageText(recordOf(said.usage)), cost(said), firstToken(said))],
      ['error', faultText({ code: said.class, message: said.message })],
    ],
  }),
  'model.tool_calls.proposed': (said) => ({
    title: 'tool calls proposed',
    subject: recordsIn(said, 'tool_calls')
      .map((call) => textOf(call.name))
      .join(', '),
  }),
  'tool.call': (said) => ({
    title: 'tool call',
    subject: joined(textOf(said.tool_name), hops(said)),
    lines: [
      ...members('', said.arguments),
      ['error', errorOf(said)],
      ['stage', textOf(said.failure_origin)],
      ...members('→ ', news(said)),
    ],
  }),
  'policy.violation': (said) => ({
    title: 'policy violation',
    subject: textOf(said.rule),
    lines: [['detail', textOf(said.detail)]],
  }),
  'race.standings.injected': (said) => ({
    title: 'told of its peers',
    subject: textOf(said.trigger),
    lines: [['hears', said.text]],
  }),
} satisfies Record<string, Teller>;

/** What is new to the model: texts whole; replies and results, which stand in steps above, by their number. */
function sentLines(sent: Payload): Line[] {
  const { $ref, bytes: size } = sent;
  if (typeof $ref === 'string') return [['sent', `${bytes(Number(size))}, too large to be shown: ${$ref}`]];
  const messages = recordsIn(sent, 'messages');
  const texts = messages.flatMap((message): Line[] => {
    const text = textOf(message.text);
    return text === '' ? [] : [[textOf(message.role), text]];
  });
  const results = messages.filter((message) => textOf(message.role) === 'tool');
  const names = results.map((message) => textOf(message.tool_name)).join(', ');
  return [...texts, ['sent back', names && `${plural(results.length, 'result')}: ${names}`]];
}

/** What held for the agent. Without a sandbox there are no tools, hence no policy to tell. */
function conditions(said: Payload): Line[] {
  const limits = recordOf(said.limits);
  const seconds = numberIn(limits, 'run_timeout_seconds');
  const iterations = numberIn(limits, 'max_iterations');
  const told = joined(
    seconds !== undefined && duration(seconds * 1_000),
    iterations !== undefined && plural(iterations, 'iteration'),
  );
  if (said.sandbox === null || said.sandbox === undefined) return [['limits', told]];
  const sandbox = recordOf(said.sandbox);
  const tools = recordsIn(said, 'tools').map((tool) => textOf(tool.name));
  return [
    ['limits', told],
    ['tools', tools.join(', ')],
    ['kinds', textsIn(recordOf(said.policy), 'kinds').join(', ')],
    [
      'sandbox',
      joined(textOf(sandbox.provider), `network of its processes: ${textOf(sandbox.egress) || 'none'}`),
    ],
  ];
}

function ending(said: Payload): string {
  const outcome = textOf(said.outcome);
  if (outcome === '') return '';
  const limit = textOf(said.limit_kind);
  const by = textOf(said.finished_by);
  return joined(
    `${outcome}${limit && ` (${limit})`}${by && by !== 'none' ? ` by ${by}` : ''}`,
    plural(numberIn(said, 'step_count') ?? 0, 'step'),
    plural(numberIn(said, 'tool_call_count') ?? 0, 'tool call'),
    usageText(recordOf(said.usage)),
    cost(said),
    said.will_retry === true && 'will be tried again',
  );
}

/** The members of an object one by one, so that texts read as such; what is no object, as it is. */
function members(mark: string, value: unknown): Line[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[mark.trim() || 'arguments', value]];
  return Object.entries(value).map(([name, member]): Line => [`${mark}${name}`, member]);
}

/** What the agent got to read, without what it had said itself and without the error, which is told apart. */
function news(said: Payload): unknown {
  if (typeof said.result !== 'object' || said.result === null || Array.isArray(said.result))
    return said.result;
  const given = recordOf(said.arguments);
  const isTold = new Set(said.error === undefined ? [] : ['error', 'code', 'path']);
  const fresh = Object.entries(said.result).filter(
    ([name, value]) => !isTold.has(name) && JSON.stringify(given[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(fresh);
}

function hops(said: Payload): string {
  const chain = recordsIn(said, 'resolution_chain').map((hop) => textOf(hop.name));
  return chain.length > 1 ? `through ${chain.slice(1).join(' → ')}` : '';
}

function tries(said: Payload): string {
  const count = numberIn(said, 'tries') ?? 1;
  return count > 1 ? `${count} tries` : '';
}

function cost(said: Payload): string {
  const value = numberIn(said, 'cost_usd');
  return value === undefined ? '' : dollars(value);
}

function firstToken(said: Payload): string {
  const ms = numberIn(recordOf(said.timing), 'ttft_ms');
  return ms === undefined ? '' : `first token after ${duration(ms)}`;
}

function unlessUsual(reason: string): string {
  return reason === 'stop' || reason === 'tool_calls' ? '' : reason;
}
