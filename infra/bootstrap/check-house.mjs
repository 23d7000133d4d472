// The rules of the house that no general linter knows: who may depend on whom, what only one place may
// touch, sizes, names, barrels. `node check-house.mjs [root]`; one line per breach, `file:line  what`.
import path from 'node:path';
import { checkDependencies } from './house/dependencies.mjs';
import { checkDoors } from './house/doors.mjs';
import { checkFiles } from './house/files.mjs';
import { readWorkspace } from './house/workspace.mjs';
import { repository } from './setup/repository.mjs';

const workspace = readWorkspace(path.resolve(process.argv[2] ?? repository));
const breaches = [checkDependencies, checkDoors, checkFiles].flatMap((check) => check(workspace));
for (const { at, message } of breaches) console.error(`${at}  ${message}`);
console.log(`${workspace.length} packages, ${breaches.length} breaches of the house rules`);
process.exitCode = breaches.length > 0 ? 1 : 0;
