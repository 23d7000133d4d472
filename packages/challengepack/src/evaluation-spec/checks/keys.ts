import type { FieldPath } from '../../decode/field-path.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

type Keyed = readonly ({ key?: string | undefined } | undefined)[] | undefined;

/** Keys are unique: validators, metrics and judges in one name space, every other list in its own. */
export function checkKeys(check: SpecCheck): void {
  const { spec, at } = check;
  const scorecard = at.field('scorecard');
  const namespaces: [Keyed, FieldPath][][] = [
    [
      [spec.validators, at.field('validators')],
      [spec.metrics, at.field('metrics')],
      [spec.llm_judges, at.field('llm_judges')],
    ],
    [[spec.post_execution_checks, at.field('post_execution_checks')]],
    [[spec.behavioral?.signals, at.field('behavioral').field('signals')]],
    [[spec.scorecard?.dimensions, scorecard.field('dimensions')]],
  ];
  for (const lists of namespaces) checkNamespace(check, lists);
}

function checkNamespace(check: SpecCheck, lists: [Keyed, FieldPath][]): void {
  const taken = new Set<string>();
  for (const [entries, at] of lists) {
    eachEntry(entries, at, ({ key }, entryAt) => {
      if (key === undefined) return;
      if (taken.has(key)) check.report('not_unique', entryAt.field('key'));
      taken.add(key);
    });
  }
}
