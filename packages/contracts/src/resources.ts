import { WRITE_EFFECTS } from '@agentclash/domain';
import { z } from 'zod';
import { PlainText, Uuid } from './values.js';

/** The name of a resource: unique in its workspace. */
export const ResourceName = PlainText.trim().min(1).max(128);

export const Applied = z.enum(WRITE_EFFECTS);

export const inWorkspace = { workspace_id: Uuid };

/** A name that tools and callers of tools use. */
export const ToolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of the letters A to Z and a to z, digits, _ and -');

const CREDENTIAL_REFERENCE_MAX = 256;

/** `workspace-secret://KEY`, or `env://NAME` where the operator allows it; never a value. */
export const CredentialReference = PlainText.min(1).max(CREDENTIAL_REFERENCE_MAX);
