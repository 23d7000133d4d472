import type { Route } from '@agentclash/api';
import { routes } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import { LRUCache } from 'lru-cache';
import { type Bucket, type BucketRate, fullBucket, rateOf, take } from './token-bucket.js';

const BUCKETS_MAX = 20_000;

/** Rate limits of one token on this instance: for all its requests, and for starting runs. */
export class RateLimits {
  private readonly all: Buckets | undefined;
  private readonly runs: Buckets | undefined;

  private readonly invalidTokens: Buckets | undefined;

  constructor({ RATE_LIMIT, RUN_RATE_LIMIT, INVALID_TOKEN_RATE_LIMIT = 0 }: RateSettings) {
    this.all = RATE_LIMIT === 0 ? undefined : new Buckets(rateOf(RATE_LIMIT));
    this.runs = RUN_RATE_LIMIT === 0 ? undefined : new Buckets(rateOf(RUN_RATE_LIMIT));
    this.invalidTokens =
      INVALID_TOKEN_RATE_LIMIT === 0 ? undefined : new Buckets(rateOf(INVALID_TOKEN_RATE_LIMIT));
  }

  /** The `RateLimit-*` headers of the tightest limit. Fails with `rate_limited`. */
  take(owner: string, route: Route): Record<string, string> {
    const runs = route === routes.runs.create ? this.runs : undefined;
    const general = this.all?.take(owner) ?? {};
    return runs?.take(owner) ?? general;
  }

  /** Fails with `rate_limited` when an address has sent too many invalid tokens. */
  checkInvalidTokens(address: string): Record<string, string> {
    this.invalidTokens?.check(address);
    return {};
  }

  countInvalidToken(address: string): void {
    try {
      this.invalidTokens?.take(address);
    } catch {
      // The bucket is empty: the next request of this address is refused before it costs anything.
    }
  }
}

interface RateSettings {
  RATE_LIMIT: number;
  RUN_RATE_LIMIT: number;
  INVALID_TOKEN_RATE_LIMIT?: number;
}

class Buckets {
  private readonly buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });

  constructor(private readonly rate: BucketRate) {}

  /** Fails with `rate_limited` when the next `take` would. */
  check(owner: string): void {
    const bucket = this.buckets.peek(owner);
    if (bucket === undefined) return;
    const { isTaken, retrySeconds } = take({ ...bucket }, this.rate, Date.now());
    if (!isTaken) throw new RateLimited({}, retrySeconds);
  }

  take(owner: string): Record<string, string> {
    const now = Date.now();
    const bucket = this.buckets.get(owner) ?? fullBucket(this.rate, now);
    this.buckets.set(owner, bucket);
    const { isTaken, remaining, resetSeconds, retrySeconds } = take(bucket, this.rate, now);
    const headers = {
      'ratelimit-limit': String(this.rate.capacity),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    };
    if (isTaken) return headers;
    throw new RateLimited(headers, retrySeconds);
  }
}

/** Carries the `RateLimit-*` headers of the refused request. */
export class RateLimited extends ContractError {
  constructor(
    readonly headers: Record<string, string>,
    retrySeconds: number,
  ) {
    super('rate_limited', `Too many requests. Try again in ${retrySeconds} s.`, {
      retry_after: retrySeconds,
    });
  }
}
