import type { AttemptPlan, GraderPlan } from '@agentclash/attempt-plan';
import {
  Bus,
  BusConnection,
  BusServer,
  Handles,
  Listener,
  provisionStreams,
  type Serves,
  Subscribes,
} from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import {
  type AttemptResult,
  ContractError,
  type ExecutorReport,
  execution,
  executionEvents,
  executionLive,
  executors,
  type HistoryEvent,
  type In,
  type LiveEvent,
  leases,
  modelSlots,
  vault,
} from '@agentclash/contracts';
import { sealFor } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { type INestMicroservice, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { z } from 'zod';
import { Assignment, Assignments, type KnownSecret, type LostReply, type Slots } from './assignments.js';

@Handles(leases)
class FakeLeases implements Serves<typeof leases> {
  constructor(@Inject(Assignments) private readonly assignments: Assignments) {}

  claim({ attempt_ids, claim_id }: In<typeof leases.claim>) {
    this.assignments.claims.push(attempt_ids.length);
    this.assignments.claimIds.push(claim_id);
    this.assignments.mayLose('claim');
    const items = attempt_ids.map((attempt_id) => {
      const { isHeldByAnother, plan } = this.assignments.find(attempt_id);
      if (isHeldByAnother) return { attempt_id, claimed: false as const, reason: 'leased' };
      return { attempt_id, claimed: true as const, delivery: plan.delivery, plan: { ...plan } };
    });
    return { lease_until: inAMinute(), items };
  }

  async renew({ items }: In<typeof leases.renew>) {
    for (const { attempt_id, state } of items) this.assignments.find(attempt_id).stages.push(state);
    await this.assignments.renewalReply;
    const renewed = items.map(({ attempt_id }) => ({ attempt_id, fate: 'held' as const }));
    return { lease_until: inAMinute(), items: renewed };
  }

  grader({ attempt_id }: In<typeof leases.grader>) {
    this.assignments.mayLose('grader');
    return { plan: { ...this.assignments.find(attempt_id).grader } };
  }

  finish({ items }: In<typeof leases.finish>) {
    this.assignments.finishes.push(items.length);
    this.assignments.shutdownRequests.push('finish');
    return {
      items: items.map(({ attempt_id, result, events = [] }) => {
        const assignment = this.assignments.find(attempt_id);
        assignment.events.push(...events);
        assignment.result = result;
        return { attempt_id, accepted: true };
      }),
    };
  }

  park({ attempt_id, awaits, state }: In<typeof leases.park>) {
    const assignment = this.assignments.find(attempt_id);
    if (assignment.isCancelled) return { parked: false };
    assignment.parked = { awaits, state };
    return { parked: true };
  }

  renewParked({ items }: In<typeof leases.renewParked>) {
    return {
      items: items.map(({ attempt_id }) => ({
        attempt_id,
        fate: this.assignments.get(attempt_id)?.fate ?? ('lost' as const),
      })),
    };
  }

  resume({ attempt_id, to_end }: In<typeof leases.resume>) {
    this.assignments.shutdownRequests.push('resume');
    const { plan, parked, fate, message } = this.assignments.find(attempt_id);
    if (parked === undefined) throw new ContractError('lease_lost', 'not parked');
    if (fate === 'waits' && !to_end) return { resumed: false as const };
    const is_cancelled = fate === 'cancelled';
    return { resumed: true as const, plan: { ...plan }, state: parked.state, message, is_cancelled };
  }

  reachPhase({ attempt_id, phase_id }: In<typeof leases.reachPhase>) {
    return { is_requested: this.assignments.find(attempt_id).requestedPhases.has(phase_id) };
  }

  cachedReply({ key }: In<typeof leases.cachedReply>) {
    const known = this.assignments.cachedReplies.get(key);
    const { attempt_id = '', sequence_number } = known ?? {};
    const event = this.assignments
      .get(attempt_id)
      ?.events.find((each) => each.sequence_number === sequence_number);
    return { event: event ?? null };
  }

  cacheReply({ key, attempt_id, sequence_number }: In<typeof leases.cacheReply>) {
    this.assignments.cachedReplies.set(key, { attempt_id, sequence_number });
    return {};
  }

  recording({ attempt_id }: In<typeof leases.recording>) {
    const { recording } = this.assignments.find(attempt_id);
    if (recording === undefined) throw new ContractError('not_found', 'The attempt was deleted.');
    return { items: recording, has_more: false };
  }

  peers() {
    return { items: [] };
  }
}

@Handles(executors)
class FakeExecutors implements Serves<typeof executors> {
  constructor(@Inject(Assignments) private readonly assignments: Assignments) {}

  report(report: ExecutorReport) {
    this.assignments.executors.set(report.executor_id, report);
    return {};
  }

  renew({ executor_id }: In<typeof executors.renew>) {
    return { is_known: this.assignments.executors.has(executor_id) };
  }

  leave({ executor_id }: In<typeof executors.leave>) {
    this.assignments.shutdownRequests.push('leave');
    this.assignments.executors.delete(executor_id);
    return {};
  }
}

@Handles({ resolve: vault.resolve })
class FakeVault {
  constructor(@Inject(Assignments) private readonly assignments: Assignments) {}

  async resolve(request: In<typeof vault.resolve>) {
    const values = request.keys.map((key) => {
      const secret = this.assignments.secrets.get(key);
      if (secret === undefined)
        throw new ContractError('missing_secret', `Not set: ${key}.`, { keys: [key] });
      const { value, hosts = [], binding } = secret;
      return { key, value_base64: Buffer.from(value).toString('base64'), hosts, binding };
    });
    return await sealFor(request.recipient, Buffer.from(JSON.stringify(values)), canonicalJson(request));
  }
}

@Handles(modelSlots)
class FakeSlots implements Serves<typeof modelSlots> {
  constructor(@Inject(Assignments) private readonly assignments: Assignments) {}

  acquire(request: In<typeof modelSlots.acquire>) {
    const { slots } = this.assignments;
    if (slots.held.size >= slots.limit) {
      slots.refused += 1;
      return { granted: false as const };
    }
    slots.held.set(request.slot_id, request);
    return { granted: true as const, lease_until: inAMinute() };
  }

  renew({ slot_ids }: In<typeof modelSlots.renew>) {
    return { lease_until: inAMinute(), held: slot_ids };
  }

  release(request: In<typeof modelSlots.release>) {
    this.assignments.slots.held.delete(request.slot_id);
    this.assignments.slots.released.push(request);
    return {};
  }
}

@Listener()
class FakeEventLog {
  constructor(@Inject(Assignments) private readonly assignments: Assignments) {}

  @Subscribes(executionEvents.emitted)
  onEmitted({ deliveries }: In<typeof executionEvents.emitted>): void {
    for (const { attempt_id, events } of deliveries) this.assignments.find(attempt_id).events.push(...events);
  }
}

@Module({})
class FakeServicesModule {}

/** Orchestrator and vault on the bus, in memory. */
export class FakeServices {
  private constructor(
    private readonly app: INestMicroservice,
    private readonly connection: BusConnection,
    private readonly assignments: Assignments,
  ) {}

  static async open(natsUrl: string): Promise<FakeServices> {
    const connection = await BusConnection.open({ servers: [natsUrl], name: 'run-orchestrator' });
    await provisionStreams(await connection.jetstreamManager());
    const assignments = new Assignments();
    const app = await NestFactory.createMicroservice(
      {
        module: FakeServicesModule,
        controllers: [FakeLeases, FakeExecutors, FakeVault, FakeSlots, FakeEventLog],
        providers: [{ provide: Assignments, useValue: assignments }],
      },
      { strategy: new BusServer(connection, { concurrency: 8 }), logger: false },
    );
    await app.listen();
    return new FakeServices(app, connection, assignments);
  }

  get secrets(): Map<string, KnownSecret> {
    return this.assignments.secrets;
  }

  get slots(): Slots {
    return this.assignments.slots;
  }

  get executors(): Map<string, ExecutorReport> {
    return this.assignments.executors;
  }

  get claims(): readonly number[] {
    return this.assignments.claims;
  }

  get claimIds(): readonly (string | undefined)[] {
    return this.assignments.claimIds;
  }

  /** The next reply of this kind does not arrive. */
  loseReply(giveTurn: LostReply): void {
    this.assignments.toLose[giveTurn] += 1;
  }

  /** Renewals from now on are received, but replied to only when the returned function is called. */
  holdRenewals(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.assignments.renewalReply = promise;
    return resolve;
  }

  get finishes(): readonly number[] {
    return this.assignments.finishes;
  }

  /** The requests from now on that end the work of an executor, in their order. */
  watchShutdown(): readonly string[] {
    const { shutdownRequests } = this.assignments;
    shutdownRequests.length = 0;
    return shutdownRequests;
  }

  /** The live events of the run from now on. */
  watch(runId: string): LiveEvent[] {
    const events: LiveEvent[] = [];
    this.bus.listen(executionLive.output, runId, (event) => events.push(event));
    return events;
  }

  /** Adds an attempt that is to be dispatched. */
  know(plan: AttemptPlan, grader: GraderPlan): Assignment {
    const assignment = new Assignment(plan, grader);
    this.assignments.set(plan.attempt_id, assignment);
    return assignment;
  }

  /** Dispatches an attempt to the executors. */
  async assign(
    plan: AttemptPlan,
    grader: GraderPlan,
    options: { isHeldByAnother?: boolean; recording?: HistoryEvent[] } = {},
  ): Promise<Assignment> {
    const assignment = this.know(plan, grader);
    assignment.isHeldByAnother = options.isHeldByAnother ?? false;
    assignment.recording = options.recording;
    const { attempt_id, run_id } = plan;
    await this.bus.send(execution.execute, { run_id, attempt_ids: [attempt_id] }, `${attempt_id}:1`);
    return assignment;
  }

  async cancel(runId: string): Promise<void> {
    await this.bus.publish(executionEvents.cancelled, { run_id: runId }, `${runId}:cancel`);
  }

  /** Gives the human turn that the attempt waits for. */
  async giveTurn(assignment: Assignment, message: string): Promise<void> {
    assignment.message = message;
    const { attempt_id, delivery } = assignment.plan;
    await this.bus.publish(executionEvents.turnGiven, { attempt_id, delivery }, `${attempt_id}:turn`);
  }

  /** Waits until the attempt was reported and every event up to its last was received. */
  async finished(assignment: Assignment): Promise<z.infer<typeof AttemptResult>> {
    return await waitFor(
      () => {
        const { result, events } = assignment;
        return result !== undefined && events.length >= result.last_sequence ? result : undefined;
      },
      { timeoutMs: 300_000 },
    );
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.connection.close();
  }

  get bus(): Bus {
    return new Bus(this.connection);
  }
}

function inAMinute(): string {
  return new Date(Date.now() + 60_000).toISOString();
}
