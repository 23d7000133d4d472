import { eachEntry, type SpecCheck } from './spec-check.js';

/** The panel is there when a dimension reads it, and every gate of it has a threshold. */
export function checkBehavioral(check: SpecCheck): void {
  const { spec } = check;
  const at = check.at.field('behavioral');
  if (spec.scorecard?.dimensions?.some((dimension) => dimension?.source === 'behavioral')) {
    check.require(spec.behavioral, at);
  }
  eachEntry(spec.behavioral?.signals, at.field('signals'), (signal, signalAt) => {
    if (signal.gate) check.require(signal.pass_threshold, signalAt.field('pass_threshold'));
  });
}
