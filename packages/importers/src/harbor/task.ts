import type { SourceFile } from '../framework/import-source.js';

/** One of `[[environment.mcp_servers]]` that runs in the sandbox. */
export interface TaskMcpServer {
  /** The prefix of its tools. */
  name: string;
  /** The program and its arguments. */
  command: string[];
}

/** One `[[steps]]`, with its files. */
export interface TaskStep {
  name: string;
  instruction: string;
  /** The next step follows from this reward on; absent: always. */
  minReward?: number;
  agentSeconds?: number;
  verifierSeconds?: number;
  verifierEnv: Record<string, string>;
  /** Folders that hold its artifacts. */
  folders: string[];
  /** Put into the working directory before the step. */
  workdir: TaskFile[];
  tests: TaskFile[];
  solution: TaskFile[];
}

/** A file of a task; `path` counts from the folder that holds it, such as `tests`. */
export interface TaskFile {
  path: string;
  /** In the source. */
  source: string;
  isExecutable: boolean;
  content: Uint8Array;
}

/** One Harbor task as its folder has it, with the values that its task.toml leaves out as Harbor fills them. */
export interface HarborTask {
  /** The key of its challenge and case. */
  key: string;
  /** In the source; '' is the root. */
  folder: string;
  title: string;
  difficulty: 'easy' | 'medium' | 'hard' | 'expert';
  category: string;
  instruction: string;
  agentSeconds: number;
  verifierSeconds: number;
  verifierEnv: Record<string, string>;
  solutionEnv: Record<string, string>;
  environment: TaskEnvironment;
  tests: TaskFile[];
  solution: TaskFile[];
  steps: TaskStep[];
  /** How the rewards of the steps become one. */
  stepRewards: 'mean' | 'final';
  /** Folders beside the working directory that hold artifacts. */
  folders: string[];
}

/** An image that exists, or the files from which it is built, a Dockerfile among them. */
type TaskImage = { runAsRoot: boolean } & ({ reference: string; files?: undefined } | { files: TaskFile[] });

export interface TaskEnvironment {
  /** The root of its sandbox; absent: Debian with the packages. */
  image?: TaskImage;
  cpu?: number;
  memoryMb?: number;
  env: Record<string, string>;
  isOnline: boolean;
  workdir: string;
  /** Debian packages. */
  packages: string[];
  /** Put into the working directory. */
  files: { path: string; content: string }[];
  mcpServers: TaskMcpServer[];
  /** Why the sandbox cannot be what the task needs; empty where it can. */
  missing: string[];
}

/** True for a regular file. */
export function isFile({ kind }: SourceFile): boolean {
  return kind === 'file';
}
