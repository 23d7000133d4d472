import { parentPort } from 'node:worker_threads';
import type { PatternTask } from '@agentclash/engine';
import { searchPattern } from '@agentclash/engine/pattern-search';
import { ArgumentChecker, type ArgumentTask } from './argument-task.js';

// The program of a thread for work that agents and authors cause: one reply to each task. The first message says that it
// can begin.
const checker = new ArgumentChecker();
parentPort?.on('message', (task: ArgumentTask | PatternTask) =>
  parentPort?.postMessage('pattern' in task ? searchPattern(task) : checker.reply(task)),
);
parentPort?.postMessage('ready');
