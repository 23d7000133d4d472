import type { Deployment } from '@agentclash/api';
import { Badge } from '../design/badge.js';
import { ChoiceProblem } from './contestants.js';
import css from './start-run-form.module.css';

/** A variant of the chosen deployments. */
interface Variant {
  name: string;
  /** Of some deployment. */
  isBaseline: boolean;
}

export function variantsOf(deployments: readonly Deployment[], chosen: readonly string[]): Variant[] {
  const varied = deployments.filter(({ id }) => chosen.includes(id));
  const names = new Set(varied.flatMap(({ variants = {} }) => Object.keys(variants)));
  const baselines = new Set(varied.map(({ baseline }) => baseline));
  return [...names].map((name) => ({ name, isBaseline: baselines.has(name) }));
}

interface VariantChoiceProps {
  variants: readonly Variant[];
  leftOut: readonly string[];
  problem: string | undefined;
  onChange: (leftOut: readonly string[]) => void;
}

/** The variants that race; none is shown where no chosen deployment has any. */
export function VariantChoice({ variants, leftOut, problem, onChange }: VariantChoiceProps) {
  if (variants.length === 0) return null;
  const toggle = (name: string, isChosen: boolean) =>
    onChange(isChosen ? leftOut.filter((other) => other !== name) : [...leftOut, name]);
  const withoutBaseline = variants.every(({ name, isBaseline }) => !isBaseline || leftOut.includes(name));
  return (
    <fieldset className={css.choices}>
      <legend className={css.note}>Variants</legend>
      {variants.map(({ name, isBaseline }) => (
        <label key={name} className={css.choice}>
          <input
            type="checkbox"
            checked={!leftOut.includes(name)}
            onChange={({ target }) => toggle(name, target.checked)}
          />
          {name} {isBaseline && <Badge>baseline</Badge>}
        </label>
      ))}
      {withoutBaseline && <p className={css.note}>Without the baseline no variant is compared.</p>}
      <ChoiceProblem text={problem} />
    </fieldset>
  );
}
