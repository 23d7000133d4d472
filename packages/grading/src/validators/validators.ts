import type { ValidatorType } from '@agentclash/challengepack';
import { bleuScore } from './bleu-score.js';
import { booleanAssert } from './boolean-assert.js';
import { chrfScore } from './chrf-score.js';
import { codeExecution } from './code-execution.js';
import { contains } from './contains.js';
import { csvMatch } from './csv-match.js';
import { directoryStructure } from './directory-structure.js';
import { endsWith } from './ends-with.js';
import { exactMatch } from './exact-match.js';
import { fileContentMatch } from './file-content-match.js';
import { fileExists } from './file-exists.js';
import { fuzzyMatch } from './fuzzy-match.js';
import { jsonPathMatch } from './json-path-match.js';
import { jsonSchema } from './json-schema.js';
import { lengthRange } from './length-range.js';
import { listMatch } from './list-match.js';
import { mathEquivalence } from './math-equivalence.js';
import { normalizedMatch } from './normalized-match.js';
import { notContains } from './not-contains.js';
import { numberRange } from './number-range.js';
import { numericMatch } from './numeric-match.js';
import { postcondition } from './postcondition.js';
import { regexMatch } from './regex-match.js';
import { rougeScore } from './rouge-score.js';
import { startsWith } from './starts-with.js';
import { tokenF1 } from './token-f1.js';
import { toolCallAssertion } from './tool-call-assertion.js';
import { trajectoryMatch } from './trajectory-match.js';
import type { Validator } from './validator.js';
import { xmlValid } from './xml-valid.js';

/** Every type of validator; the compiler names the missing one. */
export const VALIDATORS: { readonly [T in ValidatorType]: Validator<T> } = {
  exact_match: exactMatch,
  contains,
  not_contains: notContains,
  starts_with: startsWith,
  ends_with: endsWith,
  regex_match: regexMatch,
  boolean_assert: booleanAssert,
  normalized_match: normalizedMatch,
  fuzzy_match: fuzzyMatch,
  length_range: lengthRange,
  list_match: listMatch,
  numeric_match: numericMatch,
  number_range: numberRange,
  math_equivalence: mathEquivalence,
  token_f1: tokenF1,
  bleu_score: bleuScore,
  rouge_score: rougeScore,
  chrf_score: chrfScore,
  json_schema: jsonSchema,
  json_path_match: jsonPathMatch,
  xml_valid: xmlValid,
  csv_match: csvMatch,
  file_exists: fileExists,
  file_content_match: fileContentMatch,
  file_json_schema: jsonSchema,
  directory_structure: directoryStructure,
  postcondition,
  code_execution: codeExecution,
  tool_call_assertion: toolCallAssertion,
  trajectory_match: trajectoryMatch,
};
