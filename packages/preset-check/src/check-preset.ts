import type { Preset } from '@agentclash/agent-presets';
import type { WireKey } from '@agentclash/domain';
import { findings, type PresetCheck } from './findings.js';
import { runScripted, type ScriptedAttemptOptions } from './scripted-attempt.js';
import { newMarks, smallScript, smallTask } from './small-task.js';

export interface CheckOptions extends ScriptedAttemptOptions {
  /** Default: the preferred one of the preset. */
  wire?: WireKey;
  /** Runs its command as an agent of ACP. */
  isAcp?: boolean;
}

/** Runs a preset on a small task with a scripted model. Throws what `directories` throws. */
export async function checkPreset(preset: Preset, options: CheckOptions): Promise<PresetCheck[]> {
  const [preferred = 'chat'] = preset.wires;
  const { wire = preferred, isAcp = false, files } = options;
  const marks = newMarks();
  const plan = smallTask(preset, { wire, marks, isAcp, ...(files && { files }) });
  const evidence = await runScripted({ preset, plan, wire, script: smallScript(marks) }, options);
  return findings({ ...evidence, preset, marks, isAcp });
}
