import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { RecordedReply } from '@agentclash/domain';
import {
  type ForwardedReply,
  type ForwardRequest,
  type Model,
  ModelCallError,
  type ModelReply,
  type ModelRequest,
} from '@agentclash/models';
import type { DriverPorts } from '../agents/driver.js';
import type { AttemptHistory } from '../events/history.js';
import type { BrokerPorts } from '../programs/program-ports.js';
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
}

interface ModelCallsOptions extends ModelPorts, RecordingPorts {
  plan: Pick<AttemptPlan, 'model_calls'>;
  history: AttemptHistory;
}

/** The model calls of an attempt in the mode of its run: made and recorded, or served from an earlier attempt. */
export interface ModelCalls {
  ports: ModelPorts;
  /** Replies served so far. */
  readonly served: number;
  /** Nothing is recorded afterwards. Idempotent. */
  close(): void;
}

/** Live calls where the plan names no mode. */
export function modelCallsOf(options: ModelCallsOptions): ModelCalls {
  const { openModel, openProgramModel } = options;
  if (options.plan.model_calls === 'record') return recordedCalls(options);
  if (options.plan.model_calls === 'replay') return replayedCalls(options);
  const ports = { ...(openModel && { openModel }), ...(openProgramModel && { openProgramModel }) };
  return { ports, served: 0, close: () => {} };
}

function recordedCalls({ openModel, openProgramModel, history }: ModelCallsOptions): ModelCalls {
  const recorder = new CallRecorder({ history });
  return {
    ports: {
      ...(openModel && {
        openModel: (config) => {
          const model = openModel(config);
          const call = (request: ModelRequest) =>
            recorded(recorder, nativeTarget(request, { model, sampling: config.sampling }), async (end) => {
              const reply = await model.call(request);
              end(recordedMessage(reply));
              return reply;
            });
          return withCall(model, call);
        },
      }),
      ...(openProgramModel && {
        openProgramModel: (connection) => {
          const model = openProgramModel(connection);
          const forward = (request: ForwardRequest) =>
            recorded(recorder, forwardTarget(request, model), async (end) =>
              recordingBody(await model.forward(request), end),
            );
          return { ...withCall(model, refuseCall), forward };
        },
      }),
    },
    served: 0,
    close: () => recorder.close(),
  };
}

function replayedCalls({
  openModel,
  openProgramModel,
  readRecording,
  history,
}: ModelCallsOptions): ModelCalls {
  if (readRecording === undefined) throw new Error('no recording can be read here');
  const replay = new CallReplay(readRecording, history);
  let served = 0;
  const reply = async (target: CallTarget, signal: AbortSignal): Promise<RecordedReply> => {
    const found = await replay.serve(target);
    served += 1;
    if (found.kind === 'none') await aborted(signal);
    return found;
  };
  return {
    ports: {
      ...(openModel && {
        openModel: (config) => {
          const model = openModel(config);
          const call = async (request: ModelRequest) => {
            const target = nativeTarget(request, { model, sampling: config.sampling });
            return shown(servedMessage(await reply(target, request.signal), 'replay'), request);
          };
          return withCall(model, call);
        },
      }),
      ...(openProgramModel && {
        openProgramModel: (connection) => {
          const model = openProgramModel(connection);
          const forward = async (request: ForwardRequest) =>
            servedHttp(await reply(forwardTarget(request, model), request.signal), 'replay');
          return { ...withCall(model, refuseCall), forward };
        },
      }),
    },
    get served() {
      return served;
    },
    close: () => {},
  };
}

/** Records a failure, and a call that ends without a reply as such when the attempt ends. */
async function recorded<T>(
  recorder: CallRecorder,
  target: CallTarget,
  make: (end: (reply: RecordedReply) => void) => Promise<T>,
): Promise<T> {
  const end = recorder.begin(target);
  try {
    return await make(end);
  } catch (error) {
    if (error instanceof ModelCallError) end(recordedFailure(error));
    throw error;
  }
}

/** The reply with a body that is recorded as far as it was read, when it is closed. */
function recordingBody(reply: ForwardedReply, end: (reply: RecordedReply) => void): ForwardedReply {
  const chunks: Uint8Array[] = [];
  let isWhole = false;
  const reader = reply.body.getReader();
  return {
    ...reply,
    body: new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read();
        isWhole ||= done;
        if (value === undefined) return controller.close();
        chunks.push(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }),
    async close(outcome) {
      end(recordedHttp(reply, Buffer.concat(chunks), { isCut: !isWhole }));
      await reply.close(outcome);
    },
  };
}

function forwardTarget({ path, parts }: ForwardRequest, { name, providerKey }: Model): CallTarget {
  if (parts === undefined) throw new Error(`the request to ${path} came without its neutral form`);
  return { kind: 'program', provider_key: providerKey, model: name, parts };
}

/** Model may be an instance of a class, whose members a copy would lack. */
function withCall(model: Model, call: Model['call']): Model {
  return {
    providerKey: model.providerKey,
    name: model.name,
    maxOutputTokens: model.maxOutputTokens,
    priceOf: (usage) => model.priceOf(usage),
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
