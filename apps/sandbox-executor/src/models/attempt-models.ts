import type { AttemptPlan, ModelConnection } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import { type AttemptHistory, type AttemptPorts, accountOf } from '@agentclash/engine';
import {
  BudgetExhausted,
  type CallAmount,
  type CallBudget,
  type Model,
  type ModelRequest,
  openModel,
  type Sampling,
} from '@agentclash/models';
import type { RedactionStream, Redactor } from '@agentclash/redaction';
import {
  BusBudget,
  BusSlots,
  countFailedTry,
  instrumentedModel,
  LOGGER,
  type Logger,
  modelCallMeter,
} from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';

type ModelPorts = Pick<AttemptPorts, 'openModel' | 'openProgramModel' | 'meterProgramCall' | 'readVariable'>;

/** Opens the models that attempts call: those of their agents and of simulated users. */
@Injectable()
export class AttemptModels {
  constructor(
    private readonly slots: BusSlots,
    private readonly bus: Bus,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For one delivery, whose history redacts every credential that is opened on the way. */
  portsOf(plan: AttemptPlan, { secrets }: AttemptHistory): ModelPorts {
    const { run_id, attempt_id, limits } = plan;
    const { egress, readVariable } = this.machine;
    const budget = plan.run_budget && callBudget(new BusBudget(this.bus, deliveryOf(plan), this.logger));
    const open = (connection: ModelConnection, sampling?: Sampling) => {
      const account = accountOf(connection, { secrets, readVariable });
      return openModel(account, {
        model: connection.model,
        runId: run_id,
        egress,
        slots: this.slots,
        stepTimeoutMs: limits.step_timeout_seconds * 1_000,
        ...(sampling && { sampling }),
        ...(budget && { budget }),
        onFailure: (failure) => {
          countFailedTry(account.providerKey, failure.status);
          this.logger.info(
            { attempt_id, account_id: account.id, failure: secrets.redact(failure) },
            'model call failed',
          );
        },
      });
    };
    return {
      readVariable,
      openModel: (config) =>
        withRedactedDeltas(instrumentedModel(open(config, config.sampling)), () => secrets.redactor),
      openProgramModel: (connection) => open(connection),
      meterProgramCall: modelCallMeter(),
    };
  }
}

function deliveryOf({ run_id, attempt_id, delivery }: AttemptPlan) {
  return { run_id, attempt_id, delivery };
}

/** The budget of a run as models use it: a try whose use is unknown counts as all that was reserved. */
export function callBudget(budget: Pick<BusBudget, 'reserve'>): CallBudget {
  const amountOf = ({ tokens, costUsd }: CallAmount) => ({ tokens, usd: costUsd ?? 0 });
  return {
    async reserve(bound, signal) {
      const reservation = await budget.reserve(amountOf(bound), signal);
      if (reservation === undefined) throw new BudgetExhausted();
      return { settle: (used) => reservation.settle(amountOf(used ?? bound)) };
    },
  };
}

type OnDelta = NonNullable<ModelRequest['onDelta']>;
type Delta = Parameters<OnDelta>[0];

/** At most ten times a second and attempt. */
const PUBLISH_INTERVAL_MS = 100;
/** Text beyond this in one interval is not published live; the reply has all of it. */
const PUBLISHED_CHARACTERS_MAX = 4_096;

/**
 * A model whose pieces come redacted and gathered: a secret is found however the provider cuts it, and a fast model
 * costs no more messages than a slow one.
 */
export function withRedactedDeltas(model: Model, redactor: () => Redactor): Model {
  return {
    ...model,
    async call(request) {
      if (request.onDelta === undefined) return await model.call(request);
      const deltas = new RedactedDeltas(request.onDelta, redactor);
      try {
        return await model.call({ ...request, onDelta: deltas.add });
      } finally {
        deltas.end();
      }
    },
  };
}

/** Pieces of one reply on their way out. */
class RedactedDeltas {
  private kind: Delta['kind'] | undefined;
  private stream: RedactionStream | undefined;
  private buffered = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly publish: OnDelta,
    /** Called with the first delta: the credential of the model was opened by then. */
    private readonly redactor: () => Redactor,
  ) {}

  readonly add: OnDelta = ({ kind, text }) => {
    if (kind !== this.kind) this.end();
    this.kind = kind;
    this.stream ??= this.redactor().stream();
    this.gather(this.stream.push(text));
    this.timer ??= setTimeout(() => this.publishBuffered(), PUBLISH_INTERVAL_MS);
  };

  /** Publishes the rest; later deltas begin a new stream. */
  end(): void {
    if (this.stream !== undefined) this.gather(this.stream.end());
    this.stream = undefined;
    this.publishBuffered();
  }

  private gather(text: string): void {
    this.buffered += text.slice(0, PUBLISHED_CHARACTERS_MAX - this.buffered.length);
  }

  private publishBuffered(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kind, buffered: text } = this;
    this.buffered = '';
    if (kind !== undefined && text !== '') this.publish({ kind, text });
  }
}
