import { list } from '../decode/collections.js';
import { freeMap } from '../decode/free.js';
import { boolean } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { optional, required, withOptions } from '../decode/shape.js';
import { oneOf, text } from '../decode/text.js';
import { keyText, relativePathText, uuidText, verifierPathText } from '../decode/text-forms.js';
import {
  type Asset,
  type Challenge,
  DIFFICULTIES,
  type GraderFile,
  type KeyReference,
} from '../pack/model.js';
import { CASE_SANDBOX } from './policy.js';
import { SOLUTION } from './solution.js';

const ASSET = record<Asset>({
  key: required(keyText(), 'The name by which references find the asset.'),
  path: required(relativePathText(), 'Path in the workspace, and of the file beside the pack.'),
  kind: optional(text(), 'The kind of the file, for people.'),
  media_type: optional(text(), 'The media type of the file.'),
  artifact_id: optional(uuidText(), 'The stored artifact with the bytes; absent for a file beside the pack.'),
});

export const ASSETS = list(ASSET, { unique: 'key' });

export const KEY_REFERENCES = list(
  record<KeyReference>({ key: required(keyText(), 'The key of a declared asset.') }),
  { unique: 'key' },
);

const GRADER_FILES_MAX = 2_000;

/** A file that a typing error drops would be missed by the tests. */
export const GRADER_FILES = withOptions(
  { unknownKeys: 'error' },
  list(
    record<GraderFile>({
      artifact_key: required(keyText(), 'The key of a declared asset.'),
      path: optional(
        verifierPathText(),
        'Where the verifier sandbox has it: absolute, or below /grader. Absent: the path of the asset, below /grader.',
      ),
      executable: optional(boolean(), 'Whether it may be executed.', { default: false }),
    }),
    { lengthMax: GRADER_FILES_MAX },
  ),
);

export const CHALLENGE = record<Challenge>(
  {
    key: required(keyText(), 'The name by which cases refer to the challenge.'),
    title: required(text(), 'The title, shown to the agent.'),
    category: required(text(), 'The category, for people.'),
    difficulty: required(oneOf(DIFFICULTIES), 'How hard the challenge is.'),
    execution_mode: optional(
      oneOf(['multi_turn']),
      'multi_turn: the cases of this challenge are conversations, in a pack of mode native.',
    ),
    instructions: optional(
      text(),
      'The task, shown to the agent; {{name}} is replaced by a value of the case. definition.instructions wins.',
    ),
    definition: optional(
      freeMap(),
      'Further parts of the task. Of these the agent is shown the instructions alone; still, put no solutions here.',
      {
        default: {},
        keepEmpty: true,
      },
    ),
    assets: optional(ASSETS, 'Files of this challenge.'),
    artifact_refs: optional(
      KEY_REFERENCES,
      'Assets that every case of this challenge gets in its workspace.',
    ),
    grader_files: optional(GRADER_FILES, 'Files of the grader for every case of this challenge.'),
    sandbox: optional(
      CASE_SANDBOX,
      "The sandbox of this challenge's cases, where it differs from the pack's; that of a case wins.",
    ),
    solution: optional(
      SOLUTION,
      'The proof that the cases of this challenge can be passed; never shown to the agent. That of a case wins.',
    ),
  },
  {
    instead: { input_set_keys: 'the cases of an input set name their challenge (challenge_key)' },
  },
);
