import type { Strategy } from '@agentclash/challengepack';
import { binary } from './binary.js';
import { hybrid } from './hybrid.js';
import type { StrategyInput, StrategyResult } from './weighed.js';
import { weighted } from './weighted.js';

export const STRATEGY_RULES: { readonly [S in Strategy]: (input: StrategyInput) => StrategyResult } = {
  weighted,
  binary,
  hybrid,
};
