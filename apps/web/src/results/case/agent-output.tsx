import { type Attempt, type RunAgent, routes } from '@agentclash/api';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Json } from '../../cases/read-case.js';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { classes } from '../../design/classes.js';
import { formatCost, formatDuration, formatScore } from '../../design/format.js';
import { LaneMark } from '../../design/lane-mark.js';
import { DiffText } from '../diff/diff-text.js';
import { wordDiff } from '../diff/word-diff.js';
import { AttemptFiles } from '../files/attempt-files.js';
import { attemptAddress, attemptName } from '../full-attempt.js';
import { expectedParts, fixedText } from '../scorecard/expected-parts.js';
import { ComparedSides, failedChecks } from '../scorecard/failed-checks.js';
import { useScorecard } from '../scorecard/use-scorecard.js';
import { RenderedText } from '../transcript/rendered-text.js';
import { VerdictBadge, VerdictSign, verdictOf } from '../verdict.js';
import css from './case.module.css';

interface AgentOutputProps {
  agent: Pick<RunAgent, 'name'>;
  /** Of the agent in its run. */
  index: number;
  /** All attempts of the agent at the case: its repetitions. */
  attempts: readonly Attempt[];
  /** True for the agent that the reader came for. */
  isMarked: boolean;
  /** It is compared with this: the expected value, or another attempt. */
  against: 'expected' | Attempt | undefined;
  manifest: Json | undefined;
}

/** The output of one agent with its verdict and the checks that did not pass. */
export function AgentOutput({ agent, index, attempts, isMarked, against, manifest }: AgentOutputProps) {
  const ref = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    if (isMarked) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isMarked]);
  const shown = attempts.find(({ id }) => id === chosen) ?? firstFailed(attempts);
  if (shown === undefined) return null;
  const verdict = verdictOf(shown);
  return (
    <article
      ref={ref}
      className={classes(css.output, isMarked && css.marked)}
      aria-label={`output of ${agent.name}`}
    >
      <header className={css.head}>
        <h2 className={css.name}>
          <LaneMark index={index} /> {agent.name}
        </h2>
        <VerdictBadge verdict={verdict} />
      </header>
      <p className={css.figures}>
        {verdict !== 'not graded' && <span>overall {formatScore(shown.overall)}</span>}
        <span>{formatDuration(shown.latency_ms)}</span>
        {shown.cost_usd != null && <span>{formatCost(shown.cost_usd)}</span>}
        <Link to={attemptAddress(shown.id)}>
          Transcript<span className="visually-hidden"> of {attemptName(shown)}</span>
        </Link>
      </p>
      {attempts.length > 1 && (
        <fieldset className={css.repetitions}>
          <legend className="visually-hidden">Repetitions of {agent.name}</legend>
          {attempts.map((attempt) => (
            <button
              key={attempt.id}
              type="button"
              className={css.repetition}
              aria-pressed={attempt.id === shown.id}
              onClick={() => setChosen(attempt.id)}
            >
              <VerdictSign verdict={verdictOf(attempt)} /> #{attempt.repetition}
            </button>
          ))}
        </fieldset>
      )}
      <OutputOf key={shown.id} attempt={shown} against={against} manifest={manifest} />
    </article>
  );
}

/** The attempt that a reader looks for. */
function firstFailed(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.find((attempt) => verdictOf(attempt) === 'failed') ?? attempts[0];
}

type OutputProps = Pick<AgentOutputProps, 'against' | 'manifest'> & { attempt: Attempt };

function OutputOf({ attempt, against, manifest }: OutputProps) {
  const full = useRead(routes.attempts.get, { params: { attempt_id: attempt.id } });
  const other = typeof against === 'object' && against.id !== attempt.id ? against : undefined;
  const compared = useRead(
    routes.attempts.get,
    { params: { attempt_id: other?.id ?? '' } },
    { enabled: other !== undefined },
  );
  const { card } = useScorecard(attempt.id);
  return (
    <Loaded of={full} what="the output">
      {({ final_output, stored_case, error }) => {
        const expected =
          against === 'expected' ? fixedText(expectedParts(stored_case, manifest, null)) : undefined;
        const left = compared.data?.final_output ?? expected;
        return (
          <>
            {error !== null && <p className={css.quiet}>{error.message}</p>}
            {final_output === null || final_output === '' ? (
              <p className={css.quiet}>{final_output === null ? 'No output' : 'The output is blank.'}</p>
            ) : (
              <OutputText
                text={final_output}
                left={left}
                isAlways={expected === undefined}
                label={`output of ${attemptName(attempt)}`}
              />
            )}
            <AttemptFiles attempt={attempt} against={other} />
            {card && card.validity !== 'invalid' && (
              <ul className={css.checks}>
                {failedChecks(card).map(({ part, line, compared: sides }) => (
                  <li key={`${part} ${line.key}`}>
                    <strong>{line.key}</strong> {line.reason.replaceAll('_', ' ')}
                    {sides && <ComparedSides line={sides} />}
                  </li>
                ))}
              </ul>
            )}
            {attempt.pack_error && <p className={css.quiet}>{attempt.pack_error.message}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

/** Shares of the words that both texts have; below it a diff shows less than the text alone. */
const ALIKE_MIN = 0.3;

interface OutputTextProps {
  text: string;
  /** The text that it is compared with. */
  left: string | undefined;
  /** Compared also where the texts have little in common. */
  isAlways: boolean;
  label: string;
}

function OutputText({ text, left, isAlways, label }: OutputTextProps) {
  const isCompared = useMemo(
    () => left !== undefined && left !== '' && left !== text && (isAlways || isAlike(left, text)),
    [left, text, isAlways],
  );
  if (isCompared && left !== undefined) return <DiffText left={left} right={text} label={label} />;
  return <RenderedText shown={{ value: text }} label={label} />;
}

function isAlike(left: string, right: string): boolean {
  const same = wordDiff(left, right).reduce(
    (sum, part) => sum + (part.in === 'both' ? part.text.length : 0),
    0,
  );
  return same >= ALIKE_MIN * Math.max(left.length, right.length);
}
