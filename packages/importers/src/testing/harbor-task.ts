import { imported } from './imported.js';
import { memorySource } from './memory-source.js';

export type Files = Record<string, string | Uint8Array>;

/** The files of a small Harbor task. */
export const TASK: Files = {
  'task.toml': 'schema_version = "1.4"\n',
  'instruction.md': 'Write hello into hello.txt.\n',
  'environment/Dockerfile': 'FROM debian:12\nWORKDIR /work\n',
  'tests/test.sh': '#!/bin/bash\ngrep -q hello hello.txt && echo 1 > /logs/verifier/reward.txt\n',
  'solution/solve.sh': 'echo hello > hello.txt\n',
};

/** The task with these files instead. */
export const harborTask = (files: Files = {}) => imported('harbor', memorySource({ ...TASK, ...files }));

/** The task with these files instead, which cannot run here. */
export const unrunnableTask = (files: Files) =>
  imported('harbor', memorySource({ ...TASK, ...files }), { includeUnrunnable: 'true' });

/** The files below a folder. */
export const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));
