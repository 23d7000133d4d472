import { z } from 'zod';
import { rpc } from './message.js';
import { inWorkspace } from './resources.js';
import { SecretBinding, SecretHost } from './secret-origins.js';
import { Actor, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

export const SecretKey = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,127}$/,
    'is no secret name: 1 to 128 of the letters A to Z and a to z, digits and _, the first no digit',
  );

/** All that the vault returns about a secret, except for sealed values to executor and scoring. */
export const SecretMetadata = z.object({
  key: z.string(),
  /** Where it may go, as written: origins, or hosts for https on port 443. */
  hosts: z.array(z.string()),
  /** Absent from vaults that knew hosts alone. */
  binding: SecretBinding.optional(),
  version: z.number().int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: z.string(),
  updated_by: z.string(),
  last_used_at: Timestamp.nullable(),
});
export type SecretMetadata = z.infer<typeof SecretMetadata>;

export const SECRET_ACTIONS = ['set', 'delete', 'open'] as const;

/** An audit entry of a secret. Never a value. */
export const SecretAuditEntry = z.object({
  id: Uuid,
  at: Timestamp,
  key: z.string(),
  action: z.enum(SECRET_ACTIONS),
  /** The version that was set or opened; null where none was. */
  version: z.number().int().nullable(),
  /** A token's name, or the service that opened it. */
  actor: z.string(),
  /** Of openings: for which delivery of which attempt. */
  run_id: Uuid.nullable(),
  attempt_id: Uuid.nullable(),
  delivery: z.number().int().nullable(),
});
export type SecretAuditEntry = z.infer<typeof SecretAuditEntry>;

const GrantedKeys = z.array(z.string()).max(100);

/** A caller's request to open secrets. As canonical JSON it is the additional data of the seal. */
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

export const SealedSecrets = z.object({ encapsulated_base64: z.string(), ciphertext_base64: z.string() });

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
      /** Either these or `any`: fails with `invalid_input` without. */
      hosts: z.array(SecretHost).max(50).default([]),
      /** It may go wherever a pack or a deployment sends it. */
      any: z.boolean().optional(),
      actor: Actor,
    }),
    output: z.object({ version: z.number().int(), created: z.boolean() }),
  }),
  remove: rpc('vault.v1.remove', {
    input: z.object({ ...inWorkspace, key: PlainText, actor: Actor }),
    output: z.object({}),
  }),
  /** Newest first; `key` absent: of all secrets, also of those that were deleted. */
  audit: rpc('vault.v1.audit', {
    input: PageQuery.extend({ ...inWorkspace, key: SecretKey.optional() }),
    output: page(SecretAuditEntry),
  }),
  /** The named secrets that are bound to no host, unless that was chosen explicitly. Unknown keys are omitted. */
  unbound: rpc('vault.v1.unbound', {
    input: z.object({ ...inWorkspace, keys: z.array(PlainText.max(128)).min(1).max(1_000) }),
    output: z.object({ keys: z.array(z.string()) }),
  }),
  /**
   * Grants secrets to one run, as long as it is active: `keys` to every attempt, others to the attempts of one run
   * agent or to the judges. Fails with `missing_secret`, `secret_too_short`, naming the keys. Granting again adds.
   */
  grant: rpc('vault.v1.grant', {
    input: z.object({
      ...inWorkspace,
      run_id: Uuid,
      keys: GrantedKeys,
      agents: z
        .array(z.object({ run_agent_id: Uuid, keys: GrantedKeys }))
        .max(64)
        .optional(),
      judges: GrantedKeys.optional(),
    }),
    /** `unbound`: the granted secrets that are bound to no host, unless that was chosen explicitly. */
    output: z.object({ unbound: z.array(z.string()).optional() }),
  }),
  /** Withdraws all that a run was granted: it is being deleted. */
  revoke: rpc('vault.v1.revoke', { input: z.object({ ...inWorkspace, run_id: Uuid }), output: z.object({}) }),
  /**
   * Values sealed to the caller's key (HPKE: X25519, HKDF-SHA256, AES-256-GCM, info `agentclash/vault/1`). The plaintext
   * is JSON `[{key, value_base64, hosts, binding}]` in the requested order. Only the executor may call, for a
   * delivery that it is at work on; else `secret_not_granted`.
   */
  resolve: rpc('vault.v1.resolve', { input: ResolveRequest, output: SealedSecrets }),
  /** The same for the judges of an attempt that has finished and is to be scored. Only scoring may call. */
  resolveForJudges: rpc('vault.v1.resolve_for_judges', {
    input: ResolveRequest,
    output: SealedSecrets,
  }),
};

export const MasterKeyId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'is no key id: 1 to 64 letters, digits, dots, hyphens and underscores');

/** The master keys by id, and how many secrets need each. Never a key. */
export const KeyRingStatus = z.object({
  active_key_id: z.string(),
  /** Where the keys come from. Of `managed_file` the vault makes and retires keys itself. */
  source: z.enum(['environment', 'file', 'managed_file']),
  /** True when secrets still wait to be wrapped by the active key, or an old key to be dropped. */
  is_rotating: z.boolean(),
  keys: z.array(
    z.object({
      id: z.string(),
      /**
       * `active` wraps what is written; `serving` only opens; `retired` wraps nothing ever again and may be removed;
       * `missing` is needed by secrets and not there.
       */
      state: z.enum(['active', 'serving', 'retired', 'missing']),
      secrets: z.number().int(),
    }),
  ),
  /** Why the current keys of the file are not used; the last valid ones are. */
  problem: z.string().nullable(),
});
export type KeyRingStatus = z.infer<typeof KeyRingStatus>;

/** The operator's side of the vault. No key material in any direction. */
export const vaultKeys = {
  status: rpc('vault_keys.v1.status', { input: z.object({}), output: KeyRingStatus }),
  /**
   * Reads the keys again; a vault that manages its key file also makes a new active key, unless a rotation is under way.
   * The secrets are re-encrypted in the background. Fails with `conflict` when the key file cannot be used.
   */
  rotate: rpc('vault_keys.v1.rotate', { input: z.object({ actor: Actor }), output: KeyRingStatus }),
  /** From here no secret is ever wrapped by this key again. Fails with `conflict` while it is needed. */
  retire: rpc('vault_keys.v1.retire', {
    input: z.object({ key_id: MasterKeyId, actor: Actor }),
    output: KeyRingStatus,
  }),
};
