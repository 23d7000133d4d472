import type { EvaluationSpec } from '@agentclash/challengepack';
import type { IsGradedTool } from './parts.js';

/** True for the tools to whose arguments a validator looks. */
export function isGradedTool({ validators }: EvaluationSpec): IsGradedTool {
  const graded = validators.map(({ type, config }): IsGradedTool => {
    if (type === 'tool_call_assertion') {
      return (name) => config.arguments_contain !== undefined && (config.tool_name ?? name) === name;
    }
    if (type !== 'trajectory_match' || config.arguments === 'ignore') return () => false;
    const { expected } = config;
    return (name) => expected === undefined || expected.some(({ tool_name }) => tool_name === name);
  });
  return (name) => graded.some((looksAt) => looksAt(name));
}
