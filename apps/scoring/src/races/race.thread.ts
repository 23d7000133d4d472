import { parentPort } from 'node:worker_threads';
import type { In, races } from '@agentclash/contracts';
import { RaceDecider } from './race-decider.js';

// The program of the thread that decides on races: one reply to each task.
const decider = new RaceDecider();
parentPort?.on('message', (task: In<typeof races.decide>) => parentPort?.postMessage(decider.decide(task)));
