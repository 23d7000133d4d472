// The repository's rules that no general linter knows: who may depend on whom, cycles of folders, imports that few
// files may have, stores of tables, sizes, names, barrels, tests that cannot fail, titles of tests, plain words.
// `node check-rules.mjs [root]`; one line per violation, `file:line  what`.
import path from 'node:path';
import { checkDependencies } from './rules/dependencies.mjs';
import { checkFiles } from './rules/files.mjs';
import { checkFolderCycles } from './rules/folder-cycles.mjs';
import { checkProgramFiles } from './rules/program-files.mjs';
import { checkRestrictedImports } from './rules/restricted-imports.mjs';
import { checkTableStores } from './rules/table-stores.mjs';
import { checkTestAssertions } from './rules/test-assertions.mjs';
import { checkTestTitles } from './rules/test-titles.mjs';
import { checkWording } from './rules/wording.mjs';
import { readWorkspace } from './rules/workspace.mjs';
import { repository } from './setup/repository.mjs';

const root = path.resolve(process.argv[2] ?? repository);
const workspace = readWorkspace(root);
const violations = [
  ...[
    checkDependencies,
    checkFolderCycles,
    checkRestrictedImports,
    checkTableStores,
    checkFiles,
    checkProgramFiles,
    checkTestAssertions,
    checkTestTitles,
  ].flatMap((check) => check(workspace, root)),
  ...checkWording(root),
];
for (const { at, message } of violations) console.error(`${at}  ${message}`);
console.log(`${workspace.length} packages, ${violations.length} violations of the repository's rules`);
process.exitCode = violations.length > 0 ? 1 : 0;
