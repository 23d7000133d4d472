import type { Deployment } from '@agentclash/api';
import { type ExecutionMode, kindProblem } from '@agentclash/domain';
import { useState } from 'react';
import { Badge } from '../design/badge.js';
import { TextField } from '../design/field.js';
import type { Change } from './run-draft.js';
import css from './start-run-form.module.css';

/** More deployments than this have a search field. */
const SEARCHED_MIN = 12;

interface ContestantsProps {
  deployments: readonly Deployment[];
  chosen: readonly string[];
  /** Of the chosen version; undefined before a choice. */
  mode: ExecutionMode | undefined;
  problem: string | undefined;
  onChange: Change;
}

/** The deployments to choose from; last those that cannot run the pack, with the reason. */
export function Contestants({ deployments, chosen, mode, problem, onChange }: ContestantsProps) {
  const toggle = (id: string, isChosen: boolean) =>
    onChange({ deploymentIds: isChosen ? [...chosen, id] : chosen.filter((other) => other !== id) });
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  // Chosen deployments stay visible.
  const shown = deployments.filter(
    ({ id, name }) => chosen.includes(id) || name.toLowerCase().includes(wanted),
  );
  const unfit = ({ kind }: Deployment) => mode && kindProblem(kind, mode);
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">Deployments</legend>
      {deployments.length > SEARCHED_MIN && (
        <div className={css.search}>
          <TextField
            label="Search"
            type="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      )}
      {[...shown.filter((each) => !unfit(each)), ...shown.filter(unfit)].map((each) => (
        <label key={each.id} className={css.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(each.id)}
            // One that was chosen for another pack can be removed.
            disabled={unfit(each) !== undefined && !chosen.includes(each.id)}
            onChange={({ target }) => toggle(each.id, target.checked)}
          />
          <span>
            {each.name} <Badge>{each.kind}</Badge>
            {unfit(each) && <span className={css.unfit}> {unfit(each)}</span>}
          </span>
        </label>
      ))}
      <ChoiceProblem text={problem} />
    </fieldset>
  );
}

/** The problem of a group of choices; announced. */
export function ChoiceProblem({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className={css.problem} role="alert">
      {text}
    </p>
  );
}
