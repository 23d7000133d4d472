import type { AttemptPlan, ModelConfig, ModelConnection } from '@agentclash/attempt-plan';
import { type RecordedReply, recordOf } from '@agentclash/domain';
import { type PartsForm, requestParts } from '@agentclash/model-broker';
import {
  type ForwardedReply,
  type ForwardRequest,
  type Model,
  ModelCallError,
  type ModelReply,
  type ModelRequest,
  type ReplySource,
} from '@agentclash/models';
import type { DriverPorts } from '../agents/driver.js';
import type { AttemptHistory } from '../events/history.js';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import type { BrokerPorts } from '../programs/program-ports.js';
import { type ReplyCache, RequestKeys } from './call-cache.js';
import { type CallTarget, nativeTarget } from './call-target.js';
import {
  recordedFailure,
  recordedHttp,
  recordedMessage,
  servedHttp,
  servedMessage,
} from './recorded-replies.js';
import { CallRecorder } from './recorder.js';
import { CallReplay, type Recording } from './replay.js';

type ModelPorts = Pick<DriverPorts, 'openModel'> & Pick<BrokerPorts, 'openProgramModel'>;

export interface RecordingPorts {
  /** Reads the recorded calls of the attempt that this one replays; without it, no attempt can be replayed. */
  readRecording?: () => Promise<Recording>;
  /** The replies that attempts of the workspace share; without it, no attempt can use them. */
  replyCache?: ReplyCache;
}

interface ModelCallsOptions extends ModelPorts, RecordingPorts {
  plan: Pick<AttemptPlan, 'model_calls' | 'repetition' | 'run_budget'>;
  history: AttemptHistory;
}

/** The model calls of an attempt in the mode of its run: made, recorded, or served from earlier attempts. */
export interface ModelCalls {
  ports: ModelPorts;
  /** The form in which requests of programs are compared; absent for live calls. */
  parts?: PartsForm;
  /** Replies served so far. */
  readonly served: number;
  /** Nothing is recorded afterwards. Idempotent. */
  close(): void;
  /** The end of the attempt: another one for a replay that lacks recorded calls. Rejects as reading the recording does. */
  endOf(end: AttemptEnd): Promise<AttemptEnd>;
}

const unchanged = async (end: AttemptEnd): Promise<AttemptEnd> => end;

/** Live calls where the plan names no mode. */
export function modelCallsOf(options: ModelCallsOptions): ModelCalls {
  const { openModel, openProgramModel, plan } = options;
  switch (plan.model_calls) {
    case 'record':
      return recordedCalls(options);
    case 'replay':
      return replayedCalls(options);
    case 'cache':
      return cachedCalls(options);
    default: {
      const ports = { ...(openModel && { openModel }), ...(openProgramModel && { openProgramModel }) };
      return { ports, served: 0, close: () => {}, endOf: unchanged };
    }
  }
}

/** Takes the reply of a live call; only the first one counts. */
type TakeReply = (reply: RecordedReply, details: { isComplete: boolean }) => void;

/** The handling of one call by a mode: the reply that it serves, or else what takes the reply of the live call. */
type Serve = (
  target: CallTarget,
  about: { signal: AbortSignal; connection: ModelConnection },
) => Promise<{ reply: RecordedReply; from: ReplySource } | { take: TakeReply }>;

function recordedCalls(options: ModelCallsOptions): ModelCalls {
  const recorder = new CallRecorder(options);
  const serve: Serve = async (target) => ({ take: recorder.begin(target) });
  const form = 'neutral';
  const ports = wrapped(options, { form, serve });
  return { ports, parts: form, served: 0, close: () => recorder.close(), endOf: unchanged };
}

function replayedCalls(options: ModelCallsOptions): ModelCalls {
  const { readRecording, history } = options;
  if (readRecording === undefined) throw new Error('no recording can be read here');
  const replay = new CallReplay(readRecording, history);
  let served = 0;
  const serve: Serve = async (target, { signal }) => {
    const reply = await replay.serve(target);
    served += 1;
    if (reply.kind === 'none') await aborted(signal);
    return { reply, from: 'replay' };
  };
  const form = 'neutral';
  return {
    ports: wrapped(options, { form, serve }),
    parts: form,
    get served() {
      return served;
    },
    close: () => {},
    endOf: (end) => replay.endOf(end),
  };
}

function cachedCalls(options: ModelCallsOptions): ModelCalls {
  const { replyCache, history, plan } = options;
  if (replyCache === undefined) throw new Error('no replies are cached here');
  const recorder = new CallRecorder({ history });
  const keys = new RequestKeys(history, plan.repetition);
  let served = 0;
  const serve: Serve = async (target, { connection: { base_url = '' } }) => {
    const key = keys.keyOf(target, base_url);
    const reply = await replyCache.find(key);
    if (reply !== undefined) {
      served += 1;
      return { reply, from: 'cache' };
    }
    // Only complete replies are kept.
    const take: TakeReply = (received, { isComplete }) => {
      if (isComplete) recorder.begin(target, (number) => replyCache.keep(key, number))(received);
    };
    return { take };
  };
  const form = 'exact';
  return {
    ports: wrapped(options, { form, serve }),
    parts: form,
    get served() {
      return served;
    },
    close: () => recorder.close(),
    endOf: unchanged,
  };
}

/** The ports with models whose calls are served first. */
function wrapped(
  { openModel, openProgramModel, plan }: ModelPorts & Pick<ModelCallsOptions, 'plan'>,
  { form, serve }: { form: PartsForm; serve: Serve },
): ModelPorts {
  // A reply that the budget limits is not that of a request without a limit.
  const samplingOf = ({ sampling }: ModelConfig, { maxOutputTokens: max_output_tokens }: Model) =>
    plan.run_budget && form === 'exact' ? { ...sampling, max_output_tokens } : sampling;
  return {
    ...(openModel && {
      openModel: (config: ModelConfig) => {
        const model = openModel(config);
        const call = async (request: ModelRequest) => {
          const target = nativeTarget(request, { model, sampling: samplingOf(config, model), form });
          const served = await serve(target, { signal: request.signal, connection: config });
          if ('reply' in served) return shown(servedMessage(served.reply, served.from), request);
          return await taken(served.take, async () => {
            const reply = await model.call(request);
            served.take(recordedMessage(reply), { isComplete: true });
            return reply;
          });
        };
        return withCall(model, call);
      },
    }),
    ...(openProgramModel && {
      openProgramModel: (connection: ModelConnection) => {
        const model = openProgramModel(connection);
        const forward = async (request: ForwardRequest) => {
          const served = await serve(forwardTarget(request, model, form), {
            signal: request.signal,
            connection,
          });
          if ('reply' in served) return servedHttp(served.reply, served.from);
          return await taken(served.take, async () => takingBody(await model.forward(request), served.take));
        };
        return { ...withCall(model, refuseCall), forward };
      },
    }),
  };
}

async function taken<T>(take: TakeReply, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ModelCallError) take(recordedFailure(error), { isComplete: false });
    throw error;
  }
}

/** The reply with a body that is taken as far as it was read, when it is closed. */
function takingBody(reply: ForwardedReply, take: TakeReply): ForwardedReply {
  const chunks: Uint8Array[] = [];
  let isWhole = false;
  async function* taking() {
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      yield chunk;
    }
    isWhole = true;
  }
  return {
    ...reply,
    body: taking(),
    async close(outcome, usage) {
      const isComplete = isWhole && outcome === 'success';
      take(recordedHttp(reply, Buffer.concat(chunks), { isCut: !isWhole }), { isComplete });
      await reply.close(outcome, usage);
    },
  };
}

/** Requests of the broker itself come without parts: they are small. */
function forwardTarget(
  { path, body, parts }: ForwardRequest,
  { name, providerKey }: Model,
  form: PartsForm,
): CallTarget {
  const own = () => requestParts({ ...recordOf(JSON.parse(body)), path }, 'native', form);
  return { kind: 'program', provider_key: providerKey, model: name, parts: parts ?? own() };
}

/** A model may be an instance of a class, whose members a copy would lack. */
function withCall(model: Model, call: Model['call']): Model {
  return {
    providerKey: model.providerKey,
    name: model.name,
    maxOutputTokens: model.maxOutputTokens,
    priceOf: (usage) => model.priceOf(usage),
    maxPriceOf: (tokens) => model.maxPriceOf(tokens),
    call,
  };
}

function refuseCall(): Promise<ModelReply> {
  throw new Error('models of programs take forwarded requests only');
}

/** The text of a served reply is shown at once. */
function shown(reply: ModelReply, { onDelta }: ModelRequest): ModelReply {
  if (reply.text !== '') onDelta?.({ kind: 'text', text: reply.text });
  return reply;
}

/** Rejects with the signal's reason: the call had no reply before the attempt's end. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
