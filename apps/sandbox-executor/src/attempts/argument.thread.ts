import { parentPort } from 'node:worker_threads';
import { ArgumentChecker, type ArgumentTask } from './argument-task.js';

// The program of a thread that checks arguments: one reply to each task. The first message says that it can begin.
const checker = new ArgumentChecker();
parentPort?.on('message', (task: ArgumentTask) => parentPort?.postMessage(checker.reply(task)));
parentPort?.postMessage('ready');
