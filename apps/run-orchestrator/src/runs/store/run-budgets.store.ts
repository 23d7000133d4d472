import type { In, runBudgets, StopWhen } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import { amountsOf, type CallBudget, callLimitsOf, decideReservation } from '../state/call-budget.js';
import { AttemptReads } from './attempts/attempt-reads.store.js';

type Decision = ReturnType<typeof decideReservation>;

interface BudgetRow {
  tokensMax: bigint | null;
  nanoUsdMax: bigint | null;
  tokensSpent: bigint;
  nanoUsdSpent: bigint;
  tokensReserved: bigint;
  nanoUsdReserved: bigint;
  isReserved: boolean;
}

/**
 * The budgets of runs in tokens and dollars: what was spent, and a row for each call under way. The row of a budget is
 * locked after that of its run, where both are; nothing that holds it alone waits for a run.
 */
@Injectable()
export class RunBudgetsStore {
  constructor(
    private readonly db: Database,
    private readonly attempts: AttemptReads,
  ) {}

  /** Nothing for a run without such a budget. */
  async create(tx: Transaction, runId: string, stopWhen: StopWhen | null): Promise<void> {
    const limits = callLimitsOf(stopWhen);
    if (limits === undefined) return;
    const { tokens: tokensMax, nanoUsd: nanoUsdMax } = limits;
    await tx.runBudget.create({ data: { runId, tokensMax, nanoUsdMax } });
  }

  /** `lost`: the delivery is not at work, or its run has no budget. */
  async reserve(request: In<typeof runBudgets.reserve>): Promise<Decision | 'lost'> {
    const { run_id: runId, attempt_id: attemptId, delivery, call_id: callId } = request;
    const call = amountsOf(request);
    // Calls that wait repeat their requests: these hold no lock.
    const seen = await read(this.db, { runId, callId });
    if (seen && !seen.isReserved && decideReservation(seen, call) === 'waiting') return 'waiting';
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM run_budgets WHERE run_id = ${runId}::uuid FOR UPDATE`;
      const budget = await read(tx, { runId, callId });
      // Read once the budget is locked: a delivery that ends later counts this reservation.
      const isAtWork = await this.attempts.isAtWork(tx, { id: attemptId, runId, delivery });
      if (budget === undefined || !isAtWork) return 'lost';
      if (budget.isReserved) return 'granted';
      const decision = decideReservation(budget, call);
      if (decision === 'granted')
        await tx.budgetReservation.create({ data: { callId, runId, attemptId, delivery, ...call } });
      return decision;
    });
  }

  /** Counts the use of a call in the place of its reservation. A repeated request changes nothing. */
  async settle(request: In<typeof runBudgets.settle>): Promise<void> {
    const { run_id: runId, call_id: callId } = request;
    const { tokens, nanoUsd } = amountsOf(request);
    // The budget is locked before the reservation, as it is everywhere.
    await this.db.$executeRaw`
      WITH budget AS (SELECT run_id FROM run_budgets WHERE run_id = ${runId}::uuid FOR UPDATE),
      ended AS (
        DELETE FROM budget_reservations r USING budget
         WHERE r.run_id = budget.run_id AND r.call_id = ${callId}::uuid RETURNING r.run_id)
      UPDATE run_budgets b SET tokens_spent = b.tokens_spent + ${tokens}::bigint,
                               nano_usd_spent = b.nano_usd_spent + ${nanoUsd}::bigint
        FROM ended WHERE b.run_id = ended.run_id`;
  }

  /** Counts in full what deliveries that have ended still reserved: their calls may have been made. */
  async closeDeliveries(
    tx: Transaction,
    runId: string,
    ended: readonly { id: string; delivery: number }[],
  ): Promise<void> {
    // Locked first: a reservation that was granted meanwhile is read with the others.
    await tx.$executeRaw`SELECT FROM run_budgets WHERE run_id = ${runId}::uuid FOR UPDATE`;
    await tx.$executeRaw`
      WITH open AS (
        DELETE FROM budget_reservations r
         USING json_to_recordset(${JSON.stringify(ended)}::json) AS e(id uuid, delivery int)
         WHERE r.run_id = ${runId}::uuid AND r.attempt_id = e.id AND r.delivery <= e.delivery
        RETURNING r.tokens, r.nano_usd),
      total AS (SELECT sum(tokens)::bigint AS tokens, sum(nano_usd)::bigint AS nano_usd FROM open)
      UPDATE run_budgets SET tokens_spent = tokens_spent + total.tokens,
                             nano_usd_spent = nano_usd_spent + total.nano_usd
        FROM total WHERE run_id = ${runId}::uuid AND total.tokens IS NOT NULL`;
  }

  /** Undefined for a run without such a budget. */
  async find(runId: string): Promise<CallBudget | undefined> {
    return await read(this.db, { runId });
  }
}

/** With whether a call is reserved. */
async function read(
  db: Pick<Database, '$queryRaw'>,
  { runId, callId = null }: { runId: string; callId?: string | null },
): Promise<(CallBudget & { isReserved: boolean }) | undefined> {
  const [row] = await db.$queryRaw<BudgetRow[]>`
    SELECT b.tokens_max AS "tokensMax", b.nano_usd_max AS "nanoUsdMax", b.tokens_spent AS "tokensSpent",
           b.nano_usd_spent AS "nanoUsdSpent", COALESCE(sum(r.tokens), 0)::bigint AS "tokensReserved",
           COALESCE(sum(r.nano_usd), 0)::bigint AS "nanoUsdReserved",
           COALESCE(bool_or(r.call_id = ${callId}::uuid), false) AS "isReserved"
      FROM run_budgets b LEFT JOIN budget_reservations r ON r.run_id = b.run_id
     WHERE b.run_id = ${runId}::uuid GROUP BY b.run_id`;
  if (row === undefined) return undefined;
  return {
    limits: { tokens: row.tokensMax, nanoUsd: row.nanoUsdMax },
    spent: { tokens: row.tokensSpent, nanoUsd: row.nanoUsdSpent },
    reserved: { tokens: row.tokensReserved, nanoUsd: row.nanoUsdReserved },
    isReserved: row.isReserved,
  };
}
