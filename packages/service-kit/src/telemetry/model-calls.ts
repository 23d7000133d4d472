import { type ProviderKey, providerKeyOf } from '@agentclash/domain';
import { type Context, context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { metrics, secondsSince } from './metrics.js';
import { inSpan, openSpan } from './spans.js';

/** The measured fields of a reply; counts are null where the provider does not report them. */
interface Reply {
  finishReason: string | null;
  usage: { input: number | null; output: number | null; cached_input: number | null };
  responseModel: string | null;
  responseId: string | null;
  tries: number;
  timing: { queued_ms: number };
}

/** A model of `packages/models`. */
interface NamedModel {
  readonly providerKey: string;
  readonly name: string;
}

interface Callable<Request, R extends Reply> extends NamedModel {
  call(request: Request): Promise<R>;
}

/** OpenTelemetry's names of the providers; the others are `other`. */
const PROVIDERS: Readonly<Record<ProviderKey, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  xai: 'x_ai',
  mistral: 'mistral_ai',
  openrouter: 'openrouter',
  openai_compatible: 'openai_compatible',
};

function providerName(key: string): string {
  const provider = providerKeyOf(key);
  return provider === undefined ? 'other' : PROVIDERS[provider];
}

/**
 * A model whose calls are measured and traced by OpenTelemetry's conventions for generative AI: names, counts and ids,
 * never prompts or replies.
 */
export function instrumentedModel<Request, R extends Reply, M extends Callable<Request, R>>(
  model: M & Callable<Request, R>,
): M {
  const { provider, attributes } = describedModel(model);
  const call = async (request: Request): Promise<R> => {
    const startedAt = performance.now();
    const ended = (result: string) =>
      metrics.observe(
        'agentclash_model_call_duration_seconds',
        { provider, result },
        secondsSince(startedAt),
      );
    try {
      const reply = await inSpan(`chat ${model.name}`, { kind: 'CLIENT', attributes }, async (span) => {
        const received = await model.call(request);
        if (span) describe(span, received);
        return received;
      });
      ended('ok');
      count(provider, reply);
      return reply;
    } catch (error) {
      ended(failureOf(error));
      throw error;
    }
  };
  return { ...model, call };
}

/**
 * Measures and traces, like `instrumentedModel`, the calls of one model whose replies are read elsewhere. Spans are
 * children of the context that is active now. Each call is ended once, with its reply or the class of its failure, or as
 * `served`, where no provider was called.
 */
export function modelCallMeter(): (
  model: NamedModel,
) => (end: Reply | { failure: string } | 'served') => void {
  const parent: Context = context.active();
  return (model) => {
    const { provider, attributes } = describedModel(model);
    const startedAt = performance.now();
    const span = openSpan(`chat ${model.name}`, { kind: 'CLIENT', attributes, parent })?.span;
    return (end) => {
      if (end === 'served') {
        span?.setAttribute('agentclash.model.served', true).end();
        return;
      }
      const failure = 'failure' in end ? end.failure : undefined;
      const labels = { provider, result: failure ?? 'ok' };
      metrics.observe('agentclash_model_call_duration_seconds', labels, secondsSince(startedAt));
      if ('failure' in end) {
        span?.setAttribute('error.type', end.failure).setStatus({ code: SpanStatusCode.ERROR });
      } else {
        if (span) describe(span, end);
        count(provider, end);
      }
      span?.end();
    };
  };
}

function describedModel({ providerKey, name }: NamedModel) {
  const provider = providerName(providerKey);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
  };
  return { provider, attributes };
}

/** Counts a failed try; `status` is that of the provider's response, if there was one. */
export function countFailedTry(providerKey: string, status: number | undefined): void {
  const labels = { provider: providerName(providerKey), status: String(status ?? 'none') };
  metrics.add('agentclash_model_tries_failed_total', labels);
}

function describe(
  span: Span,
  { usage, finishReason, responseModel, responseId, tries, timing }: Reply,
): void {
  const known = {
    'gen_ai.response.model': responseModel,
    'gen_ai.response.id': responseId,
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_input,
  };
  for (const [name, value] of Object.entries(known)) if (value !== null) span.setAttribute(name, value);
  span.setAttributes({
    ...(finishReason !== null && { 'gen_ai.response.finish_reasons': [finishReason] }),
    'agentclash.model.tries': tries,
    'agentclash.model.queued_ms': timing.queued_ms,
  });
}

function count(provider: string, { usage, timing }: Reply): void {
  metrics.observe('agentclash_model_slot_wait_seconds', { provider }, timing.queued_ms / 1_000);
  metrics.add('agentclash_model_tokens_total', { provider, direction: 'input' }, usage.input ?? 0);
  metrics.add('agentclash_model_tokens_total', { provider, direction: 'output' }, usage.output ?? 0);
}

/** The class of a provider's failure; `interrupted` for a call that was ended from outside. */
function failureOf(error: unknown): string {
  const { failure } = (error ?? {}) as { failure?: unknown };
  return typeof failure === 'string' ? failure : 'interrupted';
}
