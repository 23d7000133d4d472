/** The effect of a write of a resource by its name. `unchanged`: an equal one existed, nothing was written. */
export const WRITE_EFFECTS = ['created', 'revised', 'unchanged'] as const;
export type WriteEffect = (typeof WRITE_EFFECTS)[number];

/** The attempts that a retry names by their result: failures that no agent caused, or all that did not pass. */
export const RETRY_CHOICES = ['infra', 'failed'] as const;
export type RetryChoice = (typeof RETRY_CHOICES)[number];

/** The areas of stored bytes, in the order in which they are swept. */
export const STORAGE_AREAS = ['evidence', 'artifacts'] as const;
export type StorageArea = (typeof STORAGE_AREAS)[number];

/** The name of the baseline where a request names none. */
export const DEFAULT_BASELINE = 'default';
