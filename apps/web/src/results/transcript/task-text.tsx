import type { ReplayStep } from '@agentclash/api';
import { recordOf, textOf } from '@agentclash/domain';
import { useMemo } from 'react';
import { RenderedText, TextSourceContext } from './rendered-text.js';
import { shownAt } from './shown-value.js';

interface TaskTextProps {
  attemptId: string;
  /** The first step of the attempt, which has the task as the agent received it. */
  step: ReplayStep | undefined;
}

/** Title and instructions of a task as an agent received them; nothing before it was started. */
export function TaskText({ attemptId, step }: TaskTextProps) {
  const source = useMemo(() => ({ attemptId, isRaw: false }), [attemptId]);
  const title = textOf(recordOf(recordOf(step?.input).task).title);
  const instructions = step && shownAt(step, ['input', 'task', 'instructions']);
  return (
    <TextSourceContext.Provider value={source}>
      {title !== '' && <h3>{title}</h3>}
      {instructions && <RenderedText shown={instructions} label="instructions" />}
    </TextSourceContext.Provider>
  );
}
