import { z } from 'zod';
import { rpc } from './message.js';
import { Actor, PlainText, Timestamp, Uuid } from './values.js';

export const SecretKey = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    'is no secret name: 1 to 128 of the letters A to Z and a to z, digits and _, the first no digit',
  );

/** Everything that ever comes out of the vault about a secret, but for sealed values to executor and scoring. */
export const SecretMetadata = z.object({
  key: z.string(),
  hosts: z.array(z.string()),
  version: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: z.string(),
  updated_by: z.string(),
  last_used_at: Timestamp.nullable(),
});
export type SecretMetadata = z.infer<typeof SecretMetadata>;

const inWorkspace = { workspace_id: Uuid };

/** What a caller asks to open. As canonical JSON it is the additional data of the seal. */
export const ResolveRequest = z.object({
  ...inWorkspace,
  run_id: Uuid,
  attempt_id: Uuid,
  delivery: z.number().int().min(1),
  keys: z.array(z.string()).min(1).max(100),
  /** The caller's fresh X25519 public key, base64. */
  recipient: z.string(),
});
export type ResolveRequest = z.infer<typeof ResolveRequest>;

export const vault = {
  list: rpc('vault.v1.list', {
    input: z.object(inWorkspace),
    output: z.object({ items: z.array(SecretMetadata) }),
  }),
  set: rpc('vault.v1.set', {
    input: z.object({
      ...inWorkspace,
      key: SecretKey,
      /** UTF-8 of 1 byte to 64 KiB, base64, so that no log of strings ever shows it by accident. */
      value_base64: z.string(),
      hosts: z.array(PlainText.min(1).max(253)).max(50).default([]),
      actor: Actor,
    }),
    output: z.object({ version: z.number().int(), created: z.boolean() }),
  }),
  remove: rpc('vault.v1.remove', {
    input: z.object({ ...inWorkspace, key: PlainText, actor: Actor }),
    output: z.object({}),
  }),
  /** Opens the named secrets to one run's attempts. Fails with `missing_secret`, `secret_too_short`, naming the keys. */
  grant: rpc('vault.v1.grant', {
    input: z.object({ ...inWorkspace, run_id: Uuid, keys: z.array(z.string()).max(100) }),
    output: z.object({}),
  }),
  /**
   * Values sealed to the caller's key (HPKE: X25519, HKDF-SHA256, AES-256-GCM, info `agentclash/vault/1`). The plaintext
   * is JSON `[{key, value_base64, hosts}]` in the order asked. Only the executor and scoring may call.
   */
  resolve: rpc('vault.v1.resolve', {
    input: ResolveRequest,
    output: z.object({ encapsulated_base64: z.string(), ciphertext_base64: z.string() }),
  }),
};
