export { FairLimiter, TooManyWaiting } from './fair-limiter.js';
export { Semaphore } from './semaphore.js';
export { TaskThread, ThreadOverrun } from './task-thread.js';
export { ThreadPool, type ThreadPoolLimits } from './thread-pool.js';
