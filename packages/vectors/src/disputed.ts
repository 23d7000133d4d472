/** Vectors believed to be wrong, by file and id, each with the reason. They show as skipped, never silently. */
export const DISPUTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
