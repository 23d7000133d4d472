import { parentPort } from 'node:worker_threads';
import { GradingDesk, type GradingTask } from './grading-desk.js';

// The program of a grading thread: one answer to each task. The first message says that it can begin.
const desk = new GradingDesk();
parentPort?.on('message', async (task: GradingTask) => parentPort?.postMessage(await desk.answer(task)));
parentPort?.postMessage('ready');
