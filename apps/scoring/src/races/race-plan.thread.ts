import { parentPort } from 'node:worker_threads';
import { plannedRace } from './race-planner.js';

// The program of the thread that simulates races for plans: one reply to each task.
type Task = Parameters<typeof plannedRace>[0];
parentPort?.on('message', (task: Task) => parentPort?.postMessage(plannedRace(task)));
