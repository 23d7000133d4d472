import type { EvaluationSpec, Manifest } from '@agentclash/challengepack';

/** A published version as scoring reads it. */
export interface Contract {
  /** Without its input sets: evidence holds the case. */
  manifest: Manifest;
  spec: EvaluationSpec;
}
