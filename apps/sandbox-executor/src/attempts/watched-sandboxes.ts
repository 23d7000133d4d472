import type { ExecResult, SandboxProvider, SandboxSession } from '@agentclash/sandbox';
import { inSpanOfTrace, metrics, secondsSince } from '@agentclash/service-kit';

type Opener = Pick<SandboxProvider, 'name' | 'create' | 'capabilities'>;
type Call = (...args: unknown[]) => Promise<unknown>;

/** The operations with a span of their own. Spans hold no commands: they are the agent's. */
const SPANS: Readonly<Record<string, string>> = {
  exec: 'sandbox exec',
  restore: 'sandbox restore',
  killAll: 'sandbox kill',
  destroy: 'sandbox destroy',
};

/** Sandboxes whose making is measured, and whose life is part of the trace that they are used in. */
export function watchedSandboxes(provider: Opener): Opener {
  const { name, capabilities } = provider;
  const attributes = { 'agentclash.sandbox.provider': name };
  return {
    name,
    capabilities,
    create: async (spec, options) => {
      const startedAt = performance.now();
      const ended = (result: 'ok' | 'failed') =>
        metrics.observe(
          'agentclash_sandbox_create_duration_seconds',
          { provider: name, result },
          secondsSince(startedAt),
        );
      try {
        const session = await inSpanOfTrace('sandbox create', { kind: 'CLIENT', attributes }, () =>
          provider.create(spec, options),
        );
        ended('ok');
        return watchedSession(session);
      } catch (error) {
        ended('failed');
        throw error;
      }
    },
  };
}

function watchedSession(session: SandboxSession): SandboxSession {
  const attributes = { 'agentclash.sandbox.id': session.id, 'agentclash.sandbox.provider': session.provider };
  return new Proxy(session, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const span = SPANS[String(key)];
      const bound = value.bind(target) as Call;
      const call = key === 'exec' ? starvationCounted(bound, session.provider) : bound;
      if (span === undefined) return call;
      return (...args: unknown[]) => inSpanOfTrace(span, { kind: 'CLIENT', attributes }, () => call(...args));
    },
  });
}

function starvationCounted(exec: Call, provider: string): Call {
  return async (...args) => {
    const result = await exec(...args);
    const { starvedMs = 0 } = result as ExecResult;
    if (starvedMs > 0)
      metrics.add('agentclash_sandbox_starved_seconds_total', { provider }, starvedMs / 1_000);
    return result;
  };
}
