/**
 * A bucket that is refilled at a constant rate; each request takes one token. Times in milliseconds.
 *
 * `rate-limiter-flexible` is no replacement: it counts in fixed windows, which admit twice the rate around the edge of a
 * window, and its memory store has a timer per key and no bound on keys, which clients without a token choose. A bucket
 * yields the exact second of a retry, and `RateLimits` stores it in an `lru-cache`.
 */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface BucketRate {
  /** The burst: as many requests as may come at once. */
  capacity: number;
  perSecond: number;
}

export interface TakeResult {
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
