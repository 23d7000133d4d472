import { type PackToolSummary, packToolsOf, recordOf, recordsIn } from '@agentclash/domain';

/** The shown parts of a manifest. A newer server may have written it: unknown parts are left out. */
export interface ManifestParts {
  challenges: readonly {
    key: string;
    title: string;
    category: string;
    difficulty: string;
    instructions: string;
  }[];
  validators: readonly { key: string; type: string; target: string }[];
  judges: readonly { key: string; mode: string }[];
  dimensions: readonly { key: string; source: string; weight: string; threshold: string; isGate: boolean }[];
  strategy: string;
  passThreshold: string;
  tools: readonly PackToolSummary[];
  /** Blocks of policy that are set, by name. */
  policies: readonly { name: string; value: unknown }[];
  whole: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const POLICY_BLOCKS = [
  'tool_policy',
  'filesystem',
  'sandbox',
  'security',
  'scenario',
  'interface_spec',
] as const;

export function readManifest(manifest: Json): ManifestParts {
  const spec = recordOf(manifest.evaluation_spec);
  const scorecard = recordOf(spec.scorecard);
  return {
    challenges: recordsIn(manifest, 'challenges').map((challenge) => ({
      key: textIn(challenge, 'key'),
      title: textIn(challenge, 'title'),
      category: textIn(challenge, 'category'),
      difficulty: textIn(challenge, 'difficulty'),
      instructions:
        textIn(recordOf(challenge.definition), 'instructions') || textIn(challenge, 'instructions'),
    })),
    validators: recordsIn(spec, 'validators').map((validator) => ({
      key: textIn(validator, 'key'),
      type: textIn(validator, 'type'),
      target: textIn(validator, 'target'),
    })),
    judges: recordsIn(spec, 'llm_judges').map((judge) => ({
      key: textIn(judge, 'key'),
      mode: textIn(judge, 'mode'),
    })),
    dimensions: recordsIn(scorecard, 'dimensions').map((dimension) => ({
      key: textIn(dimension, 'key'),
      source: textIn(dimension, 'source'),
      weight: textIn(dimension, 'weight'),
      threshold: textIn(dimension, 'pass_threshold'),
      isGate: dimension.gate === true,
    })),
    strategy: textIn(scorecard, 'strategy'),
    passThreshold: textIn(scorecard, 'pass_threshold'),
    tools: packToolsOf(manifest),
    policies: POLICY_BLOCKS.filter((name) => manifest[name] !== undefined).map((name) => ({
      name,
      value: manifest[name],
    })),
    whole: manifest,
  };
}

/** Strings and numbers as text; everything else as the empty string. */
function textIn(from: Json, name: string): string {
  const value = from[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
