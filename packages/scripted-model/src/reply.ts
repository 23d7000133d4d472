import { isRecord } from '@agentclash/domain';
import { FragmentedText, type Reply, type ScriptedUsage } from './apis/api.js';
import type { Action, Behaviour, ScriptedReply, ScriptedRequest } from './behaviour.js';
import { callFor, type PlannedCall } from './tools.js';

export type Replied = Exclude<Behaviour, { silent: true } | { raw: string } | { status: number }>;

interface ReplyContext {
  request: ScriptedRequest;
  /** Unless the script names its own. */
  id: string;
  usage: ScriptedUsage;
}

/** The content of a reply, for every API. */
export function replyOf(behaviour: Replied, { request, ...given }: ReplyContext): Reply {
  const { id: responseId, model = request.model, usage = given.usage, fragment } = behaviour;
  const { reasoning = '', text = '', isEndless, finish, toolCalls = [] } = contentOf(behaviour, request);
  const cut = { ...(fragment !== undefined && { fragment }) };
  const { id } = given;
  return {
    id,
    responseId,
    model,
    reasoning: new FragmentedText(reasoning, cut),
    text: new FragmentedText(text, { ...cut, ...(isEndless !== undefined && { isEndless }) }),
    calls: toolCalls.map(({ id: callId = null, arguments: args, ...call }, index) => ({
      ...call,
      id: callId ?? `call_${id}_${index}`,
      arguments: new FragmentedText(typeof args === 'string' ? args : JSON.stringify(args), cut),
    })),
    finish: finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage,
    wantsUsage: wantsUsage(request),
  };
}

type Content = Omit<ScriptedReply, 'toolCalls'> & { toolCalls?: readonly PlannedCall[] };

function contentOf(behaviour: Replied, request: ScriptedRequest): Content {
  if (!isAction(behaviour)) return wantsJson(request) ? { ...behaviour, text: DECISION } : behaviour;
  const call = callFor(behaviour, request.tools);
  return call ? { toolCalls: [call] } : { text: 'No tool that is offered here does this.' };
}

const ACTIONS = ['run', 'read', 'write', 'call'];

function isAction(behaviour: Replied): behaviour is Extract<Replied, Action> {
  return ACTIONS.some((member) => member in behaviour);
}

const DECISION = '{"reasoning":"done","next_speaker":"user"}';

/** Gemini CLI also requests short decisions as JSON. */
function wantsJson({ wire, body }: ScriptedRequest): boolean {
  const config = body.generationConfig;
  return wire === 'google' && isRecord(config) && config.responseMimeType === 'application/json';
}

/** In the API chat, usage in a stream is sent on request. */
function wantsUsage({ body }: ScriptedRequest): boolean {
  return isRecord(body.stream_options) && body.stream_options.include_usage === true;
}
