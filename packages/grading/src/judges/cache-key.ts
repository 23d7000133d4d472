import { canonicalSha256 } from '../canonical.js';
import type { JudgeMessage } from './prompt.js';

/** Everything a judge's reply depends on. */
export interface JudgeRequest {
  readonly model: string;
  readonly temperature: number;
  readonly messages: readonly JudgeMessage[];
  /** The judge's `output_schema`, null without one. */
  readonly schema: Record<string, unknown> | null;
  readonly sample_index: number;
}

/** Names a reply within a workspace. Only scored and abstained replies may be stored under it. */
export function judgeCacheKey({ model, temperature, messages, schema, sample_index }: JudgeRequest): string {
  return canonicalSha256({ model, temperature, messages, schema, sample_index });
}

/** The hash of a sample's prompt, which is stored with it. */
export function promptHash(messages: readonly JudgeMessage[]): string {
  return canonicalSha256(messages);
}
