import { type ReplayStep, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { PAGE_SIZE } from '../lookup/all-pages.js';
import { isResultsFile } from '../lookup/results-file.js';
import { runSource } from '../lookup/run-source.js';
import { getAttemptOrLast } from '../lookup/runs.js';
import { stepText } from '../replay/step-text.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';

interface Input {
  attempt: string;
  run?: string;
  delivery?: number;
  full?: boolean;
}

const CHARACTERS_MAX = 600;

/** Reads an attempt as a transcript, page by page. */
export async function replayAttempt(
  session: Session,
  { attempt: reference, run, delivery, full }: Input,
): Promise<undefined> {
  const { out } = session;
  if (run !== undefined && !isResultsFile(run)) {
    throw new CommandError('usage', `${run} is no file of results: its name ends with .clash`, {
      hint: 'An attempt on the server is found by its id alone.',
    });
  }
  const { client } = await runSource(session, run);
  const attempt = await getAttemptOrLast(client, reference);
  const {
    id,
    agent_name: agent,
    case_key: caseKey,
    repetition,
    deliveries,
    outcome,
    state,
    imported,
  } = attempt;
  const params = { attempt_id: id };
  const tries = deliveries.length > 1 ? `, ${deliveries.length} deliveries` : '';
  const head = `${agent}  ${caseKey} #${repetition}  ${outcome ?? state}${imported ? ', imported' : ''}${tries}`;
  out.line(out.paint.bold(oneLine(head)));

  const all: ReplayStep[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(routes.attempts.replay, {
      params,
      query: { delivery, limit: PAGE_SIZE, cursor },
    });
    for (const step of page.items) {
      if (out.modes.json) all.push(step);
      out.line(stepText(step, { paint: out.paint, charactersMax: full ? undefined : CHARACTERS_MAX }));
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  out.document({ attempt, steps: all });
  const of = run === undefined ? '' : ` --run ${run}`;
  if (!full) out.note(out.paint.dim(`Long texts are cut: agentclash replay ${id}${of} --full`));
  const scores = ['agentclash eval scorecard', ...(run === undefined ? [] : [run]), '--attempt', id];
  out.note(out.paint.dim(`Its scores: ${scores.join(' ')}`));
}
