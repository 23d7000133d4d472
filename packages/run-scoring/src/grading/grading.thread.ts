import { parentPort } from 'node:worker_threads';
import { type GradingTask, GradingWorker } from './grading-worker.js';

// The program of a grading thread: one reply to each task.
const worker = new GradingWorker();
parentPort?.on('message', (task: GradingTask) => parentPort?.postMessage(worker.run(task)));
