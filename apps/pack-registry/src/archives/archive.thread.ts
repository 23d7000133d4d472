import { parentPort } from 'node:worker_threads';
import { type MembersTask, readMembers } from './read-members.js';

// The program of an archive thread: one reply to each task. The first message reports that it is ready.
parentPort?.on('message', (task: MembersTask) => parentPort?.postMessage(readMembers(task)));
