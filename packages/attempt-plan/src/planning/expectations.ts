import type { Case, Expectation, Input, JsonValue } from '@agentclash/challengepack';
import { ARTIFACT_PREFIX, INPUT_PREFIX } from '@agentclash/domain';
import type { GraderExpectation } from '../grader-plan.js';
import type { ArtifactRef } from '../plan.js';

/**
 * The expectations of a case with their sources followed: a value, or the stored file behind them. `artifactOf` finds
 * the stored file of an asset key as the case sees it. What has neither is left out.
 */
export function graderExpectations(
  { expectations = [], inputs = [] }: Pick<Case, 'expectations' | 'inputs'>,
  artifactOf: (key: string) => ArtifactRef | undefined,
): GraderExpectation[] {
  return expectations.flatMap((expectation): GraderExpectation[] => {
    const { value, artifactKey } = resolve(expectation, inputs);
    if (value !== undefined) return [{ key: expectation.key, value }];
    const artifact = artifactKey === undefined ? undefined : artifactOf(artifactKey);
    return artifact ? [{ key: expectation.key, artifact }] : [];
  });
}

function resolve(
  { value, source = '', artifact_key }: Expectation,
  inputs: readonly Input[],
): { value?: JsonValue; artifactKey?: string } {
  if (value !== undefined && value !== null) return { value };
  if (source.startsWith(ARTIFACT_PREFIX)) return { artifactKey: source.slice(ARTIFACT_PREFIX.length) };
  if (source.startsWith(INPUT_PREFIX)) {
    const input = inputs.find(({ key }) => key === source.slice(INPUT_PREFIX.length));
    if (input?.value !== undefined && input.value !== null) return { value: input.value };
    if (input?.artifact_key !== undefined) return { artifactKey: input.artifact_key };
  }
  return artifact_key === undefined ? {} : { artifactKey: artifact_key };
}
