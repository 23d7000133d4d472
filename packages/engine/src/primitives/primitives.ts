import type { PrimitiveName } from '@agentclash/challengepack';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import { exec } from './command.js';
import { listFiles, readFile, writeFile } from './files.js';
import { httpRequest } from './http-request.js';
import { definePrimitive, type Primitive } from './primitive.js';
import { projectTask } from './project-task.js';
import { queryJson, querySql } from './queries.js';
import { searchFiles, searchText } from './search.js';

/** The tool call handler accepts the submitted text itself; delegating to `submit` is refused. */
export const submit = definePrimitive({
  description: 'Give your final answer. The attempt ends when it is accepted.',
  shape: z.strictObject({
    answer: z.string().describe('The whole answer, as text. It is kept exactly as given.'),
  }),
  run: async () => {
    throw new ToolError('policy', 'submit cannot be delegated to', { origin: 'policy' });
  },
});

/** Every primitive and its implementation. */
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
