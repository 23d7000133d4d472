import { parentPort } from 'node:worker_threads';
import { type SearchTask, WorkspaceScans } from './search-task.js';

// The program of a thread that searches workspaces: one reply to each task. The first message reports that it is ready.
const scans = new WorkspaceScans();
parentPort?.on('message', (task: SearchTask) => parentPort?.postMessage(scans.run(task)));
