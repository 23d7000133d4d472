import { type Charge, type JudgeBudget, sharedCharge } from '@agentclash/grading';

/** What a call made of its reservation. */
export interface ChargedCall<T> {
  result: T;
  used: Charge;
}

/**
 * The budgets of the attempts that share a call in equal parts. A call that does not fit beside those under way waits for
 * them: they may turn out cheaper than the worst.
 */
export class SharedBudget {
  private readonly underWay = new Set<Promise<unknown>>();
  private calls = 0;

  constructor(private readonly budgets: readonly JudgeBudget[]) {}

  /** The call's result, or undefined when it does not fit into the limits. */
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

  /** What was spent before, by other calls or in an earlier try. */
  charge(used: Charge): void {
    const id = String(this.calls++);
    for (const budget of this.budgets) {
      // A reservation of nothing always fits what it settles to.
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
