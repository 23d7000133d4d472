import type { PrimitiveName } from '@agentclash/challengepack';
import { exec } from './exec.js';
import { httpRequest } from './http-request.js';
import { listFiles } from './list-files.js';
import type { Primitive } from './primitive.js';
import { projectTask } from './project-task.js';
import { queryJson } from './query-json.js';
import { querySql } from './query-sql.js';
import { readFile } from './read-file.js';
import { searchFiles } from './search-files.js';
import { searchText } from './search-text.js';
import { submit } from './submit.js';
import { writeFile } from './write-file.js';

/** Every primitive and what runs it. */
export const PRIMITIVE_TABLE: { readonly [P in PrimitiveName]: Primitive } = {
  submit,
  read_file: readFile,
  write_file: writeFile,
  list_files: listFiles,
  search_files: searchFiles,
  search_text: searchText,
  query_json: queryJson,
  query_sql: querySql,
  http_request: httpRequest,
  run_tests: projectTask('test', 'Run the tests of the project in a directory.'),
  build: projectTask('build', 'Build the project in a directory.'),
  exec,
};
