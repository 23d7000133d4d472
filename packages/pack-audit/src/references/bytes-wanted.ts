import type { ArtifactRef } from '@agentclash/attempt-plan';

/** Work that needs the bytes of artifacts: it is to be done again with them. */
export class BytesWanted extends Error {
  override readonly name = 'BytesWanted';

  constructor(readonly refs: readonly ArtifactRef[]) {
    super('bytes of artifacts are needed');
  }
}
