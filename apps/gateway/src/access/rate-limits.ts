import { type Route, routes } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import { LRUCache } from 'lru-cache';

/**
 * A bucket that is refilled at a constant rate; each request takes one token. Times in milliseconds.
 *
 * `rate-limiter-flexible` is no replacement: it counts in fixed windows, which admit twice the rate around the edge of a
 * window, and its memory store has a timer per key and no bound on keys, which clients without a token choose. A bucket
 * yields the exact second of a retry, and `RateLimits` stores it in an `lru-cache`.
 */
interface Bucket {
  tokens: number;
  at: number;
}

interface BucketRate {
  /** The burst: as many requests as may come at once. */
  capacity: number;
  perSecond: number;
}

interface TakeResult {
  isTaken: boolean;
  /** Whole requests left. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds until one request is let through. */
  retrySeconds: number;
}

/** The burst is a sixth of a minute's requests. */
export function rateOf(perMinute: number): BucketRate {
  return { capacity: Math.max(1, Math.floor(perMinute / 6)), perSecond: perMinute / 60 };
}

export function fullBucket({ capacity }: BucketRate, now: number): Bucket {
  return { tokens: capacity, at: now };
}

/** Takes one from the bucket if it holds one. */
export function take(bucket: Bucket, { capacity, perSecond }: BucketRate, now: number): TakeResult {
  const passed = Math.max(0, now - bucket.at) / 1_000;
  bucket.tokens = Math.min(capacity, bucket.tokens + passed * perSecond);
  bucket.at = now;
  const isTaken = bucket.tokens >= 1;
  if (isTaken) bucket.tokens -= 1;
  return {
    isTaken,
    remaining: Math.floor(bucket.tokens),
    resetSeconds: Math.ceil((capacity - bucket.tokens) / perSecond),
    retrySeconds: Math.max(0, Math.ceil((1 - bucket.tokens) / perSecond)),
  };
}

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
