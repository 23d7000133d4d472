import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { CasesFrom } from '../pack/model.js';
import { otherPlaceholders, rowPaths, textsIn } from '../row-templates/row-template.js';
import { unclosedPaths } from '../templates/template.js';
import { eachEntry, type PackCheck } from './pack-check.js';

const TEMPLATES = ['case_key', 'challenge_key', 'payload', 'inputs', 'expectations'] as const;

/** The data files of input sets, as far as they can be judged without their rows. */
export function checkCasesFrom(check: PackCheck): void {
  for (const [{ cases_from: settings }, setAt] of eachEntry(check.pack.input_sets, check.paths.inputSets)) {
    const at = setAt.field('cases_from');
    if (settings === undefined) continue;
    const other = ['cases', 'items'].find((name) => check.isWritten(setAt.field(name)));
    if (other !== undefined) check.report('exactly_one_of', at, { message: `this set has ${other} as well` });
    checkFile(check, settings, at);
    for (const name of TEMPLATES) {
      const value = settings[name] as JsonValue | undefined;
      if (value !== undefined) checkTemplates(check, value, at.field(name));
    }
    if (settings.solution) checkRowPaths(check, settings.solution as JsonObject, at.field('solution'));
    checkMembers(check, settings, at);
    if (check.mode === 'multi_turn') {
      const message = 'mode multi_turn needs a user simulator in every case, which rows do not have';
      check.report('mode_conflict', at, { message });
    }
  }
}

function checkFile(
  check: PackCheck,
  { path, artifact_id: id, format, delimiter }: Draft<CasesFrom>,
  at: FieldPath,
): void {
  const [pathAt, idAt, formatAt] = [at.field('path'), at.field('artifact_id'), at.field('format')];
  const { artifactExists, fileExists } = check.surroundings;
  if (path === undefined && id === undefined && !check.isUndecodable(idAt)) {
    check.require(pathAt, 'a path or an artifact_id is needed');
  }
  if (format === undefined && !check.isUndecodable(pathAt)) {
    check.require(formatAt, 'the ending of the path names no format: write jsonl, json, csv or parquet');
  }
  if (delimiter !== undefined && format !== undefined && format !== 'csv') {
    check.report('value_ignored', at.field('delimiter'), {
      message: `the format ${format} has no delimiter`,
    });
  }
  if (id !== undefined) {
    if (artifactExists?.(id) === false && !check.problems.isFaulty(idAt)) {
      check.report('artifact_not_found', idAt, { message: 'the workspace has no such artifact' });
    }
  } else if (path !== undefined && fileExists?.(path) === false && !check.problems.isFaulty(pathAt)) {
    check.report('artifact_not_found', pathAt, { message: 'there is no such file beside the pack' });
  }
}

/** Other placeholders of a solution are filled when it is played, or are plain text. */
function checkRowPaths(check: PackCheck, value: JsonValue, at: FieldPath): void {
  for (const { text, steps } of textsIn(value, [])) {
    for (const path of rowPaths(text)) {
      if (!path.split('.').includes('')) continue;
      const message = `{{row.${path}}} has an empty segment`;
      check.report('invalid_placeholder', at.below(steps), { message });
    }
  }
}

function checkTemplates(check: PackCheck, value: JsonValue, at: FieldPath): void {
  checkRowPaths(check, value, at);
  for (const { text, steps } of textsIn(value, [])) {
    const location = at.below(steps);
    for (const name of otherPlaceholders(text)) {
      const suggestion = `{{row.${name}}}`;
      const message = `no row fills {{${name}}}; did you mean ${suggestion}?`;
      check.report('unknown_placeholder', location, { message, suggestion });
    }
    for (const path of unclosedPaths(text)) {
      check.report('unresolved_placeholder', location, {
        message: `{{${path} is not closed: write {{${path}}}`,
      });
    }
  }
}

/** An archive is unpacked for the cases of a document alone. */
function checkMembers(check: PackCheck, { inputs }: Draft<CasesFrom>, at: FieldPath): void {
  for (const [{ artifact_key: key, path }, inputAt] of eachEntry(inputs, at.field('inputs'))) {
    if (key === undefined || path === undefined) continue;
    const message =
      'not implemented: members of archives in the cases of a file; give the file as an asset of its own';
    check.report('not_implemented', inputAt.field('path'), { message });
  }
}
