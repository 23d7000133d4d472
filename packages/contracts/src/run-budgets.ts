import { z } from 'zod';
import { rpc } from './message.js';
import { Uuid } from './values.js';

const Tokens = z.number().int().min(0);
const Usd = z.number().min(0);

/** The budget of a run in tokens and dollars, shared by all executors that call models for it. */
export const runBudgets = {
  /**
   * Reserves the most that one try of a call may use. `waiting`: other calls hold what is left, repeat with the same
   * `call_id` a little later; `exhausted`: the call could exceed the budget, the run delivers no further attempts.
   * Idempotent by `call_id`. Fails with `lease_lost`.
   */
  reserve: rpc('run_budgets.v1.reserve', {
    input: z.object({
      run_id: Uuid,
      attempt_id: Uuid,
      /** The fencing token of the attempt. */
      delivery: z.number().int().min(1),
      call_id: Uuid,
      tokens: Tokens,
      usd: Usd,
    }),
    output: z.object({ state: z.enum(['granted', 'waiting', 'exhausted']) }),
  }),
  /**
   * Counts what a try used, also where that is more than was reserved. One whose reservation is gone changes nothing:
   * it was counted in full when its delivery ended.
   */
  settle: rpc('run_budgets.v1.settle', {
    input: z.object({ run_id: Uuid, call_id: Uuid, tokens: Tokens, usd: Usd }),
    output: z.object({}),
  }),
};
