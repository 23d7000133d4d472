import { parentPort } from 'node:worker_threads';
import { type GradingTask, GradingWorker } from './grading-worker.js';

// The program of a grading thread: one answer to each task. The first message says that it can begin.
const worker = new GradingWorker();
parentPort?.on('message', async (task: GradingTask) => parentPort?.postMessage(await worker.run(task)));
parentPort?.postMessage('ready');
