import type { SandboxError } from '../sandbox-error.js';
import type { TaskExit, TaskOutput } from './task.js';
import type { TaskRequest } from './task-request.js';

/** One request under way. */
export interface InsideTask {
  readonly exit: Promise<TaskExit>;
  cancel(): void;
  /** Kills it as one whose time is over, which its exit says. */
  expire(): void;
  /** Tells that this much output has been consumed; needed only for tasks with a window. */
  acknowledge(bytes: number): void;
  /** Sends everything and the end. Stops early, without an error, when the task is over. */
  sendInput(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
}

/** What does the work of a session inside its sandbox. */
export interface Inside {
  /** Throws when the sandbox is dead. */
  start(request: TaskRequest, output: TaskOutput): InsideTask;
  killAll(): Promise<void>;
  ping(): Promise<void>;
  setLease(leaseMs: number): void;
  /** The sandbox has ended: everything under way fails with `death`. */
  close(death: SandboxError): void;
}
