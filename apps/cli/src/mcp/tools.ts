import { apply, audit, publish, validate } from './pack-tools.js';
import { compare, replay, scorecard } from './result-tools.js';
import { run } from './run-tools.js';
import type { Tool } from './tool.js';

/** The tools by their names, in the order of their use. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  validate,
  audit,
  run,
  scorecard,
  replay,
  compare,
  publish,
  apply,
};
