import { type AccountState, type AdaptiveLimit, allocateSlots, type Release } from '@agentclash/run-rules';

type SlotRow = AccountState['slots'][number];
type SlotOutcome = Release['outcome'];

interface Waiter {
  row: SlotRow;
  grant: () => void;
}

interface Account {
  limit: AdaptiveLimit | null;
  slots: Map<string, Waiter>;
  servedAtMs: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

const OWNER = 'local';

/** The slots of provider accounts in one process, by the rules that the orchestrator allocates them by. */
export class LocalSlots {
  private readonly accounts = new Map<string, Account>();
  private count = 0;

  /** `maxOf`: the most calls at once to an account. */
  constructor(private readonly maxOf: (accountId: string) => number) {}

  /** Waits for a slot. Rejects with the signal's reason. */
  async acquire({ accountId, runId, signal }: { accountId: string; runId: string; signal: AbortSignal }) {
    signal.throwIfAborted();
    const account = this.accountOf(accountId);
    this.count += 1;
    const id = String(this.count);
    const end = (outcome: SlotOutcome, retryAfterMs = 0) =>
      this.allocate(accountId, [{ slotId: id, owner: OWNER, outcome, retryAfterMs }]);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        end('failed');
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const grant = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const row = { id, runId, owner: OWNER, requestedAtMs: Date.now(), heldSinceMs: null };
      account.slots.set(id, { row, grant });
      this.allocate(accountId, []);
    });
    return { release: (outcome: SlotOutcome, retryAfterMs?: number) => end(outcome, retryAfterMs) };
  }

  private accountOf(id: string): Account {
    const account = this.accounts.get(id) ?? {
      ...{ limit: null, timer: undefined },
      ...{ slots: new Map<string, Waiter>(), servedAtMs: new Map<string, number>() },
    };
    this.accounts.set(id, account);
    return account;
  }

  private allocate(accountId: string, releases: readonly Release[]): void {
    const account = this.accountOf(accountId);
    const nowMs = Date.now();
    const { limit, released, granted } = allocateSlots(
      {
        limit: account.limit,
        max: this.maxOf(accountId),
        slots: [...account.slots.values()].map(({ row }) => row),
        servedAtMs: account.servedAtMs,
      },
      releases,
      nowMs,
    );
    account.limit = limit;
    for (const id of released) account.slots.delete(id);
    for (const { id, runId } of granted) {
      const waiter = account.slots.get(id);
      if (waiter === undefined) continue;
      waiter.row = { ...waiter.row, heldSinceMs: nowMs };
      account.servedAtMs.set(runId, nowMs);
      waiter.grant();
    }
    this.tryAfterBlock(accountId, account, limit.blockedUntilMs - nowMs);
  }

  /** A blocked account has no release that would allocate again. */
  private tryAfterBlock(accountId: string, account: Account, blockedMs: number): void {
    const waits = [...account.slots.values()].some(({ row }) => row.heldSinceMs === null);
    if (blockedMs <= 0 || !waits || account.timer !== undefined) return;
    account.timer = setTimeout(() => {
      account.timer = undefined;
      this.allocate(accountId, []);
    }, blockedMs);
  }
}
