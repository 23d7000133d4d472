const GIB = 1024 ** 3;
/** Of one build in a job. */
export const BUILD_DEFAULTS = { cpu: 2, memoryBytes: 4 * GIB, diskBytes: 16 * GIB };
