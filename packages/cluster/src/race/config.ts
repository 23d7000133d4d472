/** Whether tests may take the time that only a night has. */
export const isNightly = process.env.AGENTCLASH_NIGHTLY === '1';
