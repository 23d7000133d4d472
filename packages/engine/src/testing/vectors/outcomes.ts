import { type AgentKind, planRedelivery } from '@agentclash/attempt-plan';
import { isGraded, type LimitKind } from '@agentclash/domain';
import type { ProviderFailureClass } from '@agentclash/models';
import type { SandboxDeath } from '@agentclash/sandbox';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { endOfEndpointReply } from '../../agents/endpoint.js';
import { endOfProgram } from '../../agents/program.js';
import { endOfConversation, stopReasonOf } from '../../conversation/progress.js';
import { type AttemptEnd, endOfDeadSandbox, outcomeOf } from '../../outcome/attempt-end.js';

interface When {
  agent: AgentKind;
  event: string;
  mode?: string;
  delivery?: number;
  class?: ProviderFailureClass;
  cause?: SandboxDeath;
  exit_code?: number;
  signal?: string;
  status?: number;
  on_timeout?: 'stop' | 'fail';
}

const LIMITS: Record<string, LimitKind> = {
  max_iterations: 'iterations',
  max_tool_calls: 'tool_calls',
  max_total_tokens: 'tokens',
  max_cost_usd: 'cost',
  max_output_bytes: 'output',
  output_over_limit: 'output',
  run_timeout: 'time',
  run_timeout_seconds: 'time',
  context: 'context',
  max_events: 'events',
};
const INFRA = ['prepare_timeout', 'worker_lost', 'vault_unreachable', 'artifact_mismatch'];

const OUTPUT = 'an output';
const completed = (finishedBy: 'submit' | 'message' | 'script', text = OUTPUT): AttemptEnd => ({
  because: 'completed',
  finishedBy,
  output: text,
});

const EVENTS: Record<string, (when: When) => AttemptEnd> = {
  submit: () => completed('submit'),
  answer: () => completed('script'),
  message_twice: () => completed('message'),
  message_twice_blank: () => ({ because: 'agent_error', code: 'empty_output' }),
  script_end: () => completed('script', ''),
  call_failed: () => ({ because: 'agent_error', code: 'script_stopped' }),
  reply: (when) =>
    when.agent === 'endpoint'
      ? endOfEndpointReply({ status: when.status ?? 200, output: OUTPUT })
      : completed('message'),
  reply_blank: (when) =>
    when.agent === 'endpoint'
      ? endOfEndpointReply({ status: 200, output: ' ' })
      : { because: 'agent_error', code: 'empty_output' },
  reply_malformed: () => endOfEndpointReply({ status: 200 }),
  exit: (when) => endOfProgram({ exitCode: when.exit_code ?? 0, oom: false }, ''),
  signal: (when) => endOfProgram({ exitCode: 137, signal: when.signal, oom: false }, ''),
  oom: () => endOfProgram({ exitCode: 137, signal: 'SIGKILL', oom: true }, ''),
  connect_failed: () => ({ because: 'provider', class: 'unavailable' }),
  egress_blocked: () => ({ because: 'provider', class: 'egress_blocked' }),
  provider_failure: (when) => ({ because: 'provider', class: when.class ?? 'unavailable' }),
  simulator_failure: (when) => ({ because: 'provider', class: when.class ?? 'unavailable' }),
  sandbox_dead: (when) => endOfDeadSandbox({ death: when.cause ?? 'killed' }),
  max_policy_denials: () => ({ because: 'policy', rule: 'max_policy_denials' }),
  canary_in_egress: () => ({ because: 'policy', rule: 'canary_in_egress' }),
  cancel: () => ({ because: 'cancelled' }),
  phases_done: () => endOfConversation({ cause: 'phases_done' }, OUTPUT),
  max_turns: () => endOfConversation({ cause: 'max_turns' }, OUTPUT),
  human_timeout: (when) => endOfConversation(humanTimeout(when), OUTPUT),
};

const humanTimeout = (when: When) =>
  ({ cause: 'human_timeout', onTimeout: when.on_timeout ?? 'stop' }) as const;

function endOf(when: When): AttemptEnd {
  const limit = LIMITS[when.event];
  if (limit) return { because: 'limit', limit };
  if (INFRA.includes(when.event)) return { because: 'infra', code: when.event };
  const event = EVENTS[when.event];
  if (!event) throw new Error(`unknown event ${when.event}`);
  return event(when);
}

function stopReason(when: When): string | undefined {
  if (when.event === 'human_timeout') return stopReasonOf(humanTimeout(when));
  if (when.event === 'phases_done' || when.event === 'max_turns') return stopReasonOf({ cause: when.event });
  return undefined;
}

export const driver: VectorDriver<{ id: string; when: When; expect: Record<string, unknown> }> = {
  run({ when, expect: wanted }) {
    const end = endOf(when);
    const outcome = outcomeOf(end);
    const redelivery = planRedelivery({ ...outcome, delivery: when.delivery ?? 1, random: 0 });
    expect({
      outcome: outcome.outcome,
      limit: outcome.limit,
      code: outcome.code,
      reason: outcome.outcome === 'cancelled' ? outcome.code : undefined,
      counts_for_agent: isGraded(outcome.outcome),
      graded: isGraded(outcome.outcome),
      redeliver: redelivery.redeliver,
      finished_by: outcome.finishedBy,
      final_output: end.because === 'completed' ? end.output : undefined,
      stop_reason: stopReason(when),
    }).toMatchObject(wanted);
  },
};
