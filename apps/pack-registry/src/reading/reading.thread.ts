import { parentPort } from 'node:worker_threads';
import { type ReadingTask, readDocument } from './read-document.js';

// The program of a reading thread: one reply to each task. The first message reports that it is ready.
parentPort?.on('message', (task: ReadingTask) => parentPort?.postMessage(readDocument(task)));
