import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Case } from '../pack/model.js';
import { eachEntry, type PackCheck } from './pack-check.js';

/** Input sets, their legacy items, and the keys of their cases. */
export function checkInputSets(check: PackCheck): void {
  const { inputSets } = check.paths;
  if (!check.pack.input_sets?.length && !check.isUndecodable(inputSets))
    check.report('no_input_sets', inputSets);
  for (const [set, setAt, index] of eachEntry(check.pack.input_sets, inputSets)) {
    const items = setAt.field('items');
    if (set.cases?.length && !check.isLegacy(index) && check.isWritten(items)) {
      check.report('value_ignored', items, { message: 'items are used only without cases' });
    }
    checkCaseKeys(check, set.cases, { at: check.casesPath(setAt, index), isLegacy: check.isLegacy(index) });
  }
}

interface CaseList {
  at: FieldPath;
  /** Items, whose item_key their shape already requires. */
  isLegacy: boolean;
}

function checkCaseKeys(
  check: PackCheck,
  cases: (Draft<Case> | undefined)[] | undefined,
  { at, isLegacy }: CaseList,
): void {
  const seen = new Set<string>();
  for (const [each, location] of eachEntry(cases, at)) {
    const [caseKey, itemKey] = [location.field('case_key'), location.field('item_key')];
    const key = each.case_key;
    if (check.isUndecodable(caseKey) || check.isUndecodable(itemKey)) continue;
    if (key === undefined) {
      if (!isLegacy) check.require(caseKey, 'a case needs a case_key or an item_key');
    } else if (seen.has(key)) {
      check.report('not_unique', isKeyWritten(check, caseKey) ? caseKey : itemKey);
    } else {
      seen.add(key);
    }
  }
}

/** A blank case_key is absent: the key that counts is then the item_key. */
function isKeyWritten(check: PackCheck, at: FieldPath): boolean {
  return check.isWritten(at) && !check.isBlank(at);
}
