import type { ExpectedToolCall } from '../evaluation-spec/validator-configs.js';
import { readJson } from './exact-json.js';
import { isExactObject } from './exact-number.js';

/** The steps that a JSON text lists, names or `{tool_name, arguments?}`; null when it is anything else. */
export function readTrajectory(text: string): ExpectedToolCall[] | null {
  const reading = readJson(text);
  if (!reading.ok || !Array.isArray(reading.value)) return null;
  const steps = reading.value.map(readStep);
  return steps.every((step) => step !== null) ? steps : null;
}

function readStep(step: unknown): ExpectedToolCall | null {
  if (typeof step === 'string') return isName(step) ? { tool_name: step } : null;
  if (!isExactObject(step) || !isName(step.tool_name)) return null;
  if (Object.keys(step).some((key) => key !== 'tool_name' && key !== 'arguments')) return null;
  if (step.arguments === undefined) return { tool_name: step.tool_name };
  return isExactObject(step.arguments) ? { tool_name: step.tool_name, arguments: step.arguments } : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
