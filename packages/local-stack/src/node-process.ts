import { environment } from './config.js';

/**
 * How a process of the stack holds memory. Messages live for moments, and a young generation that holds them all spares
 * the collector work; what survives it is collected when there is 60 % more of it, not four times as much.
 */
const MEMORY_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=60'];
/**
 * The C library keeps no pool for each thread, and gives back what was freed at the end of one: no thread allocates
 * enough outside of the heap to be worth its memory.
 */
const MEMORY_VARIABLES = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The options with which Node.js processes of the stack are forked. */
export function nodeProcess() {
  return {
    execArgv: [...new Set([...process.execArgv, ...MEMORY_OPTIONS])],
    env: { ...MEMORY_VARIABLES, ...environment.inherited },
  };
}
