// `node check-wording.mjs [--root folder] [folder or file ...]`: the denied words (rules/deny-list.mjs) of these folders,
// clean or not, or of the whole repository but `notYetClean` of infra/lint/wording.json. One line per word,
// `file:line  word → use X`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkWording } from './rules/wording.mjs';
import { repository } from './setup/repository.mjs';

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: repository } },
  allowPositionals: true,
});
const folders = positionals.map((folder) => folder.replace(/\/$/, ''));
const violations = checkWording(path.resolve(values.root), folders.length > 0 ? folders : undefined);
for (const { at, message } of violations) console.error(`${at}  ${message}`);
console.log(`${violations.length} denied words`);
process.exitCode = violations.length > 0 ? 1 : 0;
