import { parentPort } from 'node:worker_threads';
import { type MembersTask, readMembers } from './read-members.js';

// The program of an archive thread: one answer to each task. The first message says that it can begin.
parentPort?.on('message', (task: MembersTask) => parentPort?.postMessage(readMembers(task)));
parentPort?.postMessage('ready');
