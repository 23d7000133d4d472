import { parentPort } from 'node:worker_threads';
import { readSchemaTask, type SchemaTask } from './schema-task.js';

// The program of a thread that reads schemas: one reply to each task. The first message reports that it is ready.
parentPort?.on('message', (task: SchemaTask) => parentPort?.postMessage(readSchemaTask(task)));
