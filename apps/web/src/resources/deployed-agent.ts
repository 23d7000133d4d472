import type { Deployment } from '@agentclash/api';
import { listOf, recordOf, textOf } from '@agentclash/domain';

/** The agent of a deployment in a few words: its coding agent, command, address or script, and its model. */
export function deployedAgent({ kind, config }: Pick<Deployment, 'kind' | 'config'>): string {
  const { preset, command, url, steps, models } = config;
  const model = textOf(config.model_alias) || textOf(config.model) || textOf(recordOf(models).main);
  const by: Record<Deployment['kind'], string> = {
    model: '',
    program: textOf(preset) || textOf(recordOf(preset).name) || listOf(command).map(textOf).join(' '),
    endpoint: textOf(url),
    scripted: config.by_case === undefined ? countOf(listOf(steps).length) : 'steps by case',
  };
  return [by[kind], model && `model ${model}`].filter(Boolean).join(', ');
}

function countOf(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}
