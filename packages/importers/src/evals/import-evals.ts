import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { ImportError } from '../framework/import-error.js';
import { type Importer, type ImportRequest, PACK_FILE } from '../framework/importer.js';
import { readTable, type Table } from '../tables/read-table.js';
import { inputSetWith, type RowCase } from '../writing/input-set.js';
import { chatText } from '../writing/messages.js';
import { slugOf, slugOfFile, titleOf } from '../writing/names.js';
import { packYaml } from '../writing/pack-yaml.js';
import { type EvalGrader, graderOf } from './graders.js';
import { type RegisteredEval, readRegistry } from './registry.js';

const CLASSES: Readonly<Record<string, string>> = {
  match: 'Match',
  includes: 'Includes',
  fuzzy: 'FuzzyMatch',
};
/** An alias of the workspace, which names a model of the author's choice. */
const JUDGE = 'alias:judge';

/** One of OpenAI's evals: its samples as cases, its class as validator or judge. */
export const importEvals: Importer = async (request) => {
  const { source, options, losses, origins } = request;
  const registered = await registeredEval(request);
  const grader = await graderOf(registered, { source, losses });
  const cases = readSamples(await readTable(source, registered.samples, 'jsonl'), {
    registered,
    grader,
    losses,
    origins,
  });
  const slug = slugOf(registered.name, slugOfFile(registered.samples));
  const { set, files } = inputSetWith('default', cases);
  const judge = options.judge ?? JUDGE;
  if (grader.kind === 'judge')
    losses.warn(`the pack is graded by ${judge}: make the alias, or name a model with --judge`);
  files.set(
    PACK_FILE,
    packYaml(
      {
        pack: {
          slug,
          name: titleOf(slug),
          family: 'evals',
          ...(registered.description !== undefined && { description: registered.description }),
        },
        version: {
          number: 1,
          execution_mode: 'prompt_eval',
          evaluation_spec: { name: slug, version_number: 1, ...evaluationOf(grader, judge) },
        },
        challenges: [
          {
            key: 'reply',
            title: titleOf(slug),
            category: 'imported',
            difficulty: 'medium',
            instructions: '{{prompt}}',
            // A judge has a criterion here as often as a reply.
            ...(grader.kind === 'pattern' && { solution: { answer_from: 'case.expectations.ideal' } }),
          },
        ],
        input_sets: [set],
      },
      [`Imported from the evaluation ${registered.name} of OpenAI's evals.`],
    ),
  );
  return files;
};

/** The evaluation of a registry, or a file of samples with `--class`. */
async function registeredEval(request: ImportRequest): Promise<RegisteredEval> {
  const { source, options, losses } = request;
  const file = source.entry;
  if (file === undefined || /\.ya?ml$/.test(file)) return readRegistry(request);
  const className = CLASSES[options.class ?? 'match'];
  if (className === undefined) {
    throw new ImportError({ message: `--class is one of ${Object.keys(CLASSES).join(', ')}` });
  }
  if (options.class === undefined) {
    losses.warn(
      'the class of the evaluation is in its registry; without it outputs must begin with the ideal, as with --class match',
    );
  }
  return { name: slugOfFile(file), implementation: className, args: {}, file, samples: file };
}

function evaluationOf(grader: EvalGrader, judge: string) {
  if (grader.kind === 'pattern') {
    return {
      judge_mode: 'deterministic',
      validators: [
        {
          key: 'ideal',
          type: 'regex_match',
          target: 'final_output',
          expected_from: 'case.expectations.pattern',
        },
      ],
      scorecard: { pass_threshold: 1, dimensions: [{ key: 'correctness', source: 'validators' }] },
    };
  }
  return {
    judge_mode: 'llm_judge',
    llm_judges: [
      {
        key: 'ideal',
        mode: 'reference',
        model: judge,
        rubric: grader.rubric,
        reference_from: 'case.expectations.ideal',
        context_from: ['case.payload.prompt'],
        score_scale: { min: 0, max: 1 },
      },
    ],
    scorecard: {
      pass_threshold: 0.5,
      dimensions: [{ key: 'quality', source: 'llm_judge', judge_key: 'ideal' }],
    },
  };
}

interface SampleContext {
  registered: RegisteredEval;
  grader: EvalGrader;
  losses: ImportRequest['losses'];
  origins: ImportRequest['origins'];
}

function readSamples(
  { columns, rows, locations }: Table,
  { registered, grader, losses, origins }: SampleContext,
): RowCase[] {
  const { samples: file } = registered;
  const cases = rows.map((row, index) => {
    const location = { file, ...locations[index] };
    origins.set(`sample-${index + 1}`, location);
    const prompt = chatText(row.input);
    if (prompt === undefined) {
      throw new ImportError({
        ...location,
        field: 'input',
        message: 'expected a text or messages with role and content',
      });
    }
    if (prompt.difference !== undefined) losses.changed(file, 'input', prompt.difference);
    const ideals = idealsOf(row);
    if (ideals === undefined) {
      throw new ImportError({ ...location, field: 'ideal', message: 'expected a text or a list of texts' });
    }
    const reference = ideals.join('\nor\n');
    return {
      case_key: `sample-${index + 1}`,
      challenge_key: 'reply',
      payload: { prompt: prompt.text },
      expectations: {
        ideal: reference,
        ...(grader.kind === 'pattern' && { pattern: grader.pattern(ideals) }),
      },
    };
  });
  reportColumns(columns, { file, losses, grader });
  return cases;
}

function idealsOf({ ideal, criteria }: JsonObject): string[] | undefined {
  const given: JsonValue | undefined = ideal ?? criteria;
  if (typeof given === 'string' || typeof given === 'number') return [String(given)];
  if (!Array.isArray(given) || given.length === 0) return undefined;
  return given.every((entry) => typeof entry === 'string') ? given : undefined;
}

function reportColumns(
  columns: readonly string[],
  { file, losses, grader }: { file: string; losses: ImportRequest['losses']; grader: EvalGrader },
): void {
  const locations: Partial<Record<string, string>> = {
    input: 'payload.prompt, the instruction',
    ideal: grader.kind === 'pattern' ? 'expectations.ideal, and as a pattern' : 'expectations.ideal',
    ...(!columns.includes('ideal') && { criteria: 'expectations.ideal' }),
  };
  for (const column of columns) {
    const location = Object.hasOwn(locations, column) ? locations[column] : undefined;
    if (location !== undefined) losses.carried(file, column, location);
    else losses.dropped(file, column, 'a pack shows nothing that its author has not named');
  }
}
