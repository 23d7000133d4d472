import type { ValidatorType } from '@agentclash/challengepack';
import { codeExecution } from './code-execution.js';
import { FILES } from './files.js';
import { JSON_VALUES } from './json.js';
import { LISTS } from './lists.js';
import { NUMBERS } from './numbers.js';
import { TEXT_COMPARISONS } from './text-comparisons.js';
import { TEXT_SIMILARITY } from './text-similarity.js';
import { TOOL_CALLS } from './tool-calls.js';
import type { Validator } from './validator.js';
import { xmlValid } from './xml.js';

/** Every type of validator, from the tables of the families; the compiler names the missing one. */
export const VALIDATORS: { readonly [T in ValidatorType]: Validator<T> } = {
  ...TEXT_COMPARISONS,
  ...TEXT_SIMILARITY,
  ...NUMBERS,
  ...LISTS,
  ...JSON_VALUES,
  xml_valid: xmlValid,
  ...FILES,
  code_execution: codeExecution,
  ...TOOL_CALLS,
};
