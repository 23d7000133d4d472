import type { AgentInput, AgentTool, ExecutionMode } from '@agentclash/domain';
import { WORKSPACE_FILES, WORKSPACE_INPUT } from '../cases/workspace.js';
import type { JsonObject } from '../json.js';
import type { AgentView, Case, Challenge, Input, Manifest } from '../pack/model.js';
import { Delegation } from '../tools/delegation.js';
import { NO_PARAMETERS } from '../tools/parameters.js';
import { admittedPrimitives } from '../tools/policy.js';
import { findAsset, stagedFiles } from './staged-files.js';

/** How agents are driven in a case: by the mode of its challenge, else of the version. */
export function executionModeOf(
  { version, challenges }: Pick<Manifest, 'version' | 'challenges'>,
  { challenge_key }: Pick<Case, 'challenge_key'>,
): ExecutionMode {
  return challenges.find(({ key }) => key === challenge_key)?.execution_mode ?? version.execution_mode;
}

/**
 * The view of an agent on one case of a pack. Built up by naming members: a member that is not named here does not
 * leave the pack. Throws when the manifest lacks the case's challenge.
 */
export function agentView(manifest: Manifest, each: Case): AgentView {
  const { slug, name, family, description } = manifest.pack;
  const { number } = manifest.version;
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  if (!challenge) throw new Error(`the pack has no challenge ${each.challenge_key}`);
  return {
    pack: {
      slug,
      name,
      family,
      ...(description !== undefined && { description }),
      version_number: number,
      execution_mode: executionModeOf(manifest, each),
    },
    challenge: challengeView(challenge),
    case: {
      case_key: each.case_key,
      payload: payloadView(each.payload),
      inputs: (each.inputs ?? []).map((input) => inputView(manifest, each, input)),
    },
    files: stagedFiles(manifest, each).map((file) => ({
      path: file.path,
      ...('asset' in file && file.asset.media_type !== undefined && { media_type: file.asset.media_type }),
    })),
    tools: offeredTools(manifest),
    limits: each.case_timeout_seconds ? { case_timeout_seconds: each.case_timeout_seconds } : {},
  };
}

function challengeView({ key, title, definition }: Challenge): AgentView['challenge'] {
  const { instructions } = definition;
  return { key, title, ...(typeof instructions === 'string' && { instructions }), definition };
}

function payloadView(payload: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== WORKSPACE_FILES));
}

function inputView(
  manifest: Manifest,
  each: Case,
  { key, kind, value, path, artifact_key }: Input,
): AgentInput {
  const asset =
    artifact_key === undefined ? undefined : findAsset(manifest, each, artifact_key, each.challenge_key);
  const isShown = value !== undefined && kind !== WORKSPACE_INPUT;
  return {
    key,
    kind,
    ...(isShown && { value }),
    ...(path !== undefined && { path }),
    ...(asset && { file: asset.path }),
  };
}

/** The custom tools that the policy lets work, in authored order, without what they do. */
function offeredTools(manifest: Manifest): AgentTool[] {
  const custom = manifest.tools?.custom ?? [];
  const admitted = admittedPrimitives(manifest);
  const delegation = new Delegation(
    custom.map(({ name, implementation: { type, primitive } }) => ({
      name,
      delegate: primitive,
      isMock: type === 'mock',
    })),
  );
  return custom.flatMap(({ name, description, parameters = NO_PARAMETERS }, index) => {
    const reach = delegation.reachOf(index);
    const works = reach.kind === 'ends' && (reach.end === 'mock' || admitted.has(reach.end));
    return works ? [{ name, ...(description !== undefined && { description }), parameters }] : [];
  });
}
