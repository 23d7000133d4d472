import { list } from '../decode/collections.js';
import { freeMap } from '../decode/free.js';
import { integer } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { type Applies, optional, required } from '../decode/shape.js';
import { isNull, type SourceMap } from '../decode/source.js';
import { text } from '../decode/text.js';
import { keyText } from '../decode/text-forms.js';
import type { AuthoredCasesFrom, Case, InputSet } from '../pack/model.js';
import { CASES_FROM } from './cases-from.js';
import { ASSETS, GRADER_FILES, KEY_REFERENCES } from './challenge.js';
import { INPUTS } from './inputs.js';
import { CASE_SANDBOX } from './policy.js';
import { EXPECTATIONS, USER_SIMULATOR } from './simulator.js';
import { SOLUTION } from './solution.js';

/** The older form of a case. */
export interface LegacyItem extends Pick<Case, 'challenge_key' | 'item_key' | 'assets'> {
  payload?: Case['payload'];
}

/** An input set as authored; normalisation turns `items` into cases. */
export interface AuthoredInputSet extends Omit<InputSet, 'cases_from'> {
  cases_from?: AuthoredCasesFrom;
  items?: LegacyItem[];
}

/** Where nothing is a conversation a simulator is refused unread. */
const inConversations: Applies = ({ facts: { executionMode, hasConversations = false } }) =>
  executionMode === undefined || executionMode === 'multi_turn' || hasConversations ? 'yes' : 'unread';

export const CASE = record<Case>({
  challenge_key: required(text(), 'The challenge that this is a case of.'),
  case_key: optional(keyText(), 'The name of the case, unique in its input set.'),
  item_key: optional(keyText(), 'The older name of the case; used where case_key is absent.'),
  payload: optional(freeMap(), 'Values of the case, shown to the agent. Put solutions in expectations.', {
    default: {},
    keepEmpty: true,
  }),
  inputs: optional(INPUTS, 'Named inputs, shown to the agent.'),
  expectations: optional(EXPECTATIONS, 'The expectations of the grader; never shown to the agent.'),
  user_simulator: optional(
    USER_SIMULATOR,
    'Who plays the user, in mode multi_turn or for a challenge of that mode.',
    {
      applies: inConversations,
    },
  ),
  artifacts: optional(KEY_REFERENCES, "Assets that this case gets in its agent's workspace."),
  assets: optional(ASSETS, 'Files of this case.'),
  grader_files: optional(GRADER_FILES, 'Files of the grader for this case.'),
  case_timeout_seconds: optional(
    integer({ min: 0 }),
    'Time limit of the case; 0: that of the runtime profile.',
    {
      default: 0,
    },
  ),
  sandbox: optional(CASE_SANDBOX, "The case's own sandbox, where it differs from the pack's."),
  solution: optional(
    SOLUTION,
    "The proof that the case can be passed, in the place of its challenge's; never shown to the agent.",
  ),
});

/** Editors accept an empty list, because items may be beside it. */
const CASES = { ...list(CASE, { nonEmpty: true }), schema: list(CASE).schema };

const LEGACY_ITEM = record<LegacyItem>({
  challenge_key: required(text(), 'The challenge that this is an item of.'),
  item_key: required(keyText(), 'The name of the item.'),
  payload: optional(freeMap(), 'Values of the item, shown to the agent.'),
  assets: optional(ASSETS, 'Files of this item.'),
});

/** Empty cases beside items are no cases at all, and none are missed beside cases_from. */
const casesApply: Applies = ({ source }) => {
  if (isWritten(source, 'cases_from')) return 'unclear';
  if (isWritten(source, 'cases') || !isWritten(source, 'items')) return 'yes';
  return hasEntries(source, 'items') ? 'unread' : 'unclear';
};

const itemsApply: Applies = ({ source }) => (hasEntries(source, 'cases') ? 'unread' : 'yes');

export const INPUT_SET = record<AuthoredInputSet>({
  key: required(keyText(), 'The name by which runs choose the input set.'),
  name: required(text(), 'The name shown to people.'),
  description: optional(text({ verbatim: true }), 'The common subject of the cases.'),
  cases: required(CASES, 'The cases, each of one of the challenges.', {
    applies: casesApply,
  }),
  cases_from: optional(CASES_FROM, 'A data file, each row of which is a case; in the place of cases.'),
  items: optional(list(LEGACY_ITEM), 'Older form of cases; used only without them.', { applies: itemsApply }),
});

function hasEntries(source: SourceMap, key: string): boolean {
  const value = source.entries.get(key)?.value;
  return value?.kind === 'list' && value.items.length > 0;
}

/** True when there is anything but null or an empty list. */
function isWritten(source: SourceMap, key: string): boolean {
  const value = source.entries.get(key)?.value;
  return value !== undefined && !isNull(value) && !(value.kind === 'list' && value.items.length === 0);
}
