import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';

/** Reads stored bytes of the workspace. */
export interface ArtifactReader {
  read(ref: ArtifactRef, signal: AbortSignal): Promise<Uint8Array>;
}

const ARTIFACT_BYTES_MAX = 100 * 1024 * 1024;

/** The bytes that a plan names, and no others: a digest that differs ends the attempt. */
export async function readArtifact(
  ref: ArtifactRef,
  artifacts: ArtifactReader,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (ref.bytes > ARTIFACT_BYTES_MAX) throw unusable('artifact_too_large', 'an asset is larger than 100 MiB');
  const data = await unlessAborted(artifacts.read(ref, signal), signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw Object.assign(unusable('artifact_unavailable', 'an asset could not be read'), { cause });
  });
  if (createHash('sha256').update(data).digest('hex') !== ref.sha256) {
    throw unusable('artifact_mismatch', 'the content of an asset differs from the published one');
  }
  return data;
}

function unusable(code: string, message: string): AttemptEnded {
  return new AttemptEnded({ because: 'infra', code, message });
}
