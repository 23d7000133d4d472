import { z } from 'zod';
import { isResultsFile, runReference } from './references.js';
import { defineTool, Name, optionWords } from './tool.js';

const Run = z
  .string()
  .min(1)
  .max(1_000)
  .describe('a file of results (.clash), or a run of the server: its number, its id, or last');
const AttemptId = z
  .string()
  .regex(/^([0-9a-f][0-9a-f-]{3,35}|last)$/i)
  .describe('the id of an attempt, or its beginning or end');

export const scorecard = defineTool({
  title: 'Show the scorecard of a run',
  description:
    'Shows the ranking of a run and why attempts did not pass, by agent, case and reason; with an attempt, the evidence behind its scores.',
  input: z.strictObject({
    run: Run,
    attempt: AttemptId.optional(),
    all_attempts: z.boolean().optional().describe('list every attempt as well'),
  }),
  isReadOnly: true,
  async call({ run: given, attempt, all_attempts }, { folders, command }) {
    const run = await runReference(given, folders);
    if (attempt !== undefined) {
      const ended = await command(['eval', 'scorecard', ...optionWords({ attempt }), '--', run]);
      return { ended: [ended], next: [`replay {"run": "${given}", "attempt": "${attempt}"} has every step`] };
    }
    const ranking = await command(['run', 'ranking', '--', run]);
    if (ranking.code !== 0) return { ended: [ranking] };
    const failures = await command(['run', 'failures', '--', run]);
    const lists = all_attempts === true ? [await command(['run', 'attempts', '--', run])] : [];
    return {
      ended: [ranking, failures, ...lists],
      next: [`scorecard {"run": "${given}", "attempt": ID} has the evidence behind the scores of an attempt`],
    };
  },
});

export const replay = defineTool({
  title: 'Read what happened in an attempt',
  description:
    'Reads an attempt step by step: messages, calls of tools, commands, files. Long texts are cut.',
  input: z.strictObject({
    attempt: AttemptId,
    run: Run.optional().describe('the file of results that has the attempt; not needed for a server'),
    full: z.boolean().optional().describe('long texts whole, in pages'),
  }),
  isReadOnly: true,
  async call({ attempt, run, full }, { folders, command }) {
    const file = isResultsFile(run) ? await folders.existing(run) : undefined;
    const ended = await command(['replay', ...optionWords({ run: file, full }), '--', attempt]);
    return { ended: [ended] };
  },
});

export const compare = defineTool({
  title: 'Compare two runs',
  description:
    'Compares two runs case by case: better, worse or inconclusive, with the size of the difference. Both are files of results, or both on the server. Exit code 3: nothing could be compared.',
  input: z.strictObject({
    baseline: Run,
    candidate: Run,
    agents: z.array(Name).max(50).optional().describe('the lanes to compare, which both runs have'),
    baseline_agent: Name.optional().describe('the lane of the baseline, where the names differ'),
    candidate_agent: Name.optional().describe('the lane of the candidate, where the names differ'),
  }),
  isReadOnly: true,
  async call(input, { folders, command }) {
    const sides = [await runReference(input.baseline, folders), await runReference(input.candidate, folders)];
    const options = optionWords({
      agent: input.agents,
      'baseline-agent': input.baseline_agent,
      'candidate-agent': input.candidate_agent,
    });
    return { ended: [await command(['compare', ...options, '--', ...sides])] };
  },
});
