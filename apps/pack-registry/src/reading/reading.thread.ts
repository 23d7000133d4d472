import { parentPort } from 'node:worker_threads';
import { type ReadingTask, readDocument } from './read-document.js';

// The program of a reading thread: one answer to each task. The first message says that it can begin.
parentPort?.on('message', (task: ReadingTask) => parentPort?.postMessage(readDocument(task)));
parentPort?.postMessage('ready');
