import { type Charge, type JudgeBudget, sharedCharge } from '@agentclash/grading';

/** The result of a call and its actual charge. */
export interface ChargedCall<T> {
  result: T;
  used: Charge;
}

/**
 * The budgets of attempts that share calls in equal parts. A call that does not fit beside those in progress waits for
 * them: they may cost less than the worst case.
 */
export class SharedBudget {
  private readonly underWay = new Set<Promise<unknown>>();
  private calls = 0;

  constructor(private readonly budgets: readonly JudgeBudget[]) {}

  /** Reserves the worst case, calls and settles; undefined when the call does not fit into the limits. */
  async reserve<T>(worst: Charge, call: () => Promise<ChargedCall<T>>): Promise<T | undefined> {
    const id = String(this.calls++);
    while (!this.tryReserve(id, worst)) {
      if (this.underWay.size === 0) return undefined;
      await Promise.race(this.underWay);
    }
    const calling = this.settled(id, call);
    const quiet = calling.then(
      () => {},
      () => {},
    );
    this.underWay.add(quiet);
    void quiet.then(() => this.underWay.delete(quiet));
    return await calling;
  }

  /** Charges earlier calls: those of rankings, or of an earlier try. */
  charge(used: Charge): void {
    const id = String(this.calls++);
    for (const budget of this.budgets) {
      // An empty reservation always fits.
      budget.reserve(id, { tokens: 0, usd: 0 });
      budget.settle(id, sharedCharge(used, this.budgets.length));
    }
  }

  private async settled<T>(id: string, call: () => Promise<ChargedCall<T>>): Promise<T> {
    let used: Charge = { tokens: 0, usd: 0 };
    try {
      const spent = await call();
      used = spent.used;
      return spent.result;
    } finally {
      for (const budget of this.budgets) budget.settle(id, sharedCharge(used, this.budgets.length));
    }
  }

  private tryReserve(id: string, worst: Charge): boolean {
    const share = sharedCharge(worst, this.budgets.length);
    const held: JudgeBudget[] = [];
    for (const budget of this.budgets) {
      if (!budget.reserve(id, share)) {
        for (const other of held) other.settle(id, { tokens: 0, usd: 0 });
        return false;
      }
      held.push(budget);
    }
    return true;
  }
}
