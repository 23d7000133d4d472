import type { ProgramModel, ProgramModels } from '@agentclash/attempt-plan';
import type { WireKey } from '@agentclash/domain';

/** Names that need no quoting in settings of any format. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;
/** Google's API has the model in the path, before a colon. */
const PLAIN_IN_PATH = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/;

/**
 * The names by which a coding agent requests its models: the provider's, since agents adapt prompts, settings and tools
 * to the model that they recognise; the alias where the provider's name would select another model or needs quoting.
 */
export function requestedModels(
  { main, small = main }: ProgramModels,
  wire: WireKey,
): { model: string; small_model: string } {
  const plain = wire === 'google' ? PLAIN_IN_PATH : PLAIN;
  const nameOf = ({ alias, model }: ProgramModel, other: ProgramModel) =>
    plain.test(model) && model !== other.alias ? model : alias;
  const model = nameOf(main, small.alias === main.alias ? main : small);
  if (small.alias === main.alias) return { model, small_model: model };
  // Of two aliases of one model, the provider's name selects the main one.
  const isSame = small.model === main.model;
  return { model, small_model: isSame ? small.alias : nameOf(small, main) };
}
