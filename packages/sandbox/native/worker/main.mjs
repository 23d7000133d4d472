// One file operation inside a sandbox, for machines that cannot build the process inside. Request: JSON in the first
// argument. Data on 0 and 1, a report on 2, the fault as exit code, all as in `files.h`.

import { faultOf } from './faults.mjs';
import { list, read, remove, stat, write } from './files.mjs';
import { restore } from './restore.mjs';
import { snapshot } from './snapshot.mjs';

const VERBS = { read, write, list, stat, remove, snapshot, restore };

try {
  const { verb, ...request } = JSON.parse(process.argv[2]);
  VERBS[verb](request);
} catch (error) {
  process.exitCode = faultOf(error);
}
