import { ACTORS, AUDIT_SHORTFALLS, LIFECYCLE_STATUSES } from '@agentclash/domain';
import { z } from 'zod';
import { AuditCertificate } from './audits.js';
import { rpc } from './message.js';
import { SweepRequest, SweepStep } from './storage.js';
import {
  Actor,
  JsonObject,
  PageQuery,
  PlainText,
  POSITION_MAX,
  Problem,
  page,
  Timestamp,
  Uuid,
} from './values.js';

export const PackSummary = z.object({
  slug: z.string().nullable(),
  number: z.number().int().nullable(),
  execution_mode: z.string().nullable(),
  challenges: z.number().int().nullable(),
  input_sets: z.number().int().nullable(),
  cases: z.number().int().nullable(),
  tools: z.number().int().nullable(),
  digest: z.string().nullable(),
});

/**
 * Counts in `summary` are null when the document cannot be read that far; its digest also while files beside the pack
 * are not stored, whose artifact ids the digest covers.
 */
export const Validation = z.object({
  valid: z.boolean(),
  errors: z.array(Problem),
  warnings: z.array(Problem),
  /** The number of problems that are not listed, when they are too many for one reply. */
  problems_omitted: z.number().int().optional(),
  summary: PackSummary,
});
export type Validation = z.infer<typeof Validation>;

export const InputSet = z.object({
  id: Uuid,
  key: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** The challenge of its first case. */
  challenge_key: z.string(),
  /** The challenges of all its cases, in the order of the cases. */
  challenge_keys: z.array(z.string()).optional(),
  case_count: z.number().int(),
});
export type InputSet = z.infer<typeof InputSet>;

export const PackVersion = z.object({
  id: Uuid,
  challenge_pack_id: Uuid,
  slug: z.string(),
  name: z.string(),
  version_number: z.number().int(),
  digest: z.string(),
  execution_mode: z.string(),
  lifecycle_status: z.enum(LIFECYCLE_STATUSES),
  evaluation_spec_id: Uuid,
  bundle_artifact_id: Uuid.nullable(),
  summary: PackSummary,
  published_at: Timestamp,
  published_by: z.string(),
  /** Of a draft, until when it is kept; absent of a published version. */
  draft_expires_at: Timestamp.optional(),
  /** Of its newest completed audit. */
  audit: AuditCertificate.nullable().optional(),
  /** The reason for which the workspace's policy refuses runs of this version; absent without one. */
  audit_shortfall: z.enum(AUDIT_SHORTFALLS).optional(),
});
export type PackVersion = z.infer<typeof PackVersion>;

export const Pack = z.object({
  id: Uuid,
  slug: z.string(),
  name: z.string(),
  family: z.string(),
  description: z.string().nullable(),
  created_at: Timestamp,
  versions: z.array(PackVersion),
});
export type Pack = z.infer<typeof Pack>;

export const Published = z.object({
  /** False when the same content was published before: nothing was written. */
  created: z.boolean(),
  challenge_pack_id: Uuid,
  challenge_pack_version_id: Uuid,
  evaluation_spec_id: Uuid,
  input_set_ids: z.array(Uuid),
  input_sets: z.array(z.object({ id: Uuid, key: z.string() })),
  bundle_artifact_id: Uuid.nullable(),
  version_number: z.number().int(),
  digest: z.string(),
  /** Of a draft, until when it is kept. */
  draft_expires_at: Timestamp.optional(),
  warnings: z.array(Problem),
});
export type Published = z.infer<typeof Published>;

/** One case as publishing stored it; readers choose by `kind` alone. */
export const StoredCase = z.object({
  position: z.number().int().min(0),
  challenge_key: z.string(),
  case_key: z.string(),
  item_key: z.string(),
  kind: z.enum(['payload', 'case_document']),
  document: JsonObject,
});
export type StoredCase = z.infer<typeof StoredCase>;

/** A stored case without its content. */
export const CaseKey = z.object({
  position: z.number().int().min(0),
  case_key: z.string(),
  challenge_key: z.string(),
  /** The actors of its simulated user's phases, each with the model that it names, once; empty without one. */
  phases: z.array(z.object({ actor: z.enum(ACTORS), model: z.string().optional() })),
});
export type CaseKey = z.infer<typeof CaseKey>;

/** A stored file of the workspace, addressed by content. */
export const Artifact = z.object({
  id: Uuid,
  sha256: z.string(),
  bytes: z.number().int(),
  name: z.string(),
  media_type: z.string().nullable(),
  created_at: Timestamp,
  created_by: z.string(),
});
export type Artifact = z.infer<typeof Artifact>;

const inWorkspace = { workspace_id: Uuid };
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The most files with one pack. */
export const PACK_FILES_MAX = 1_000;

/** A file sent beside a pack, under the path of the assets that it is for. */
export const PackFile = z.object({
  path: PlainText.min(1).max(1_024),
  sha256: Sha256,
  media_type: PlainText.max(255).optional(),
});
export type PackFile = z.infer<typeof PackFile>;

/** The drafts that a workspace may have at once, and how long each is kept. */
export const DRAFTS_MAX = 100;
export const DRAFT_HOURS = 48;
/** How long the runs of drafts are kept after their end: less than the drafts, which their pages read. */
export const DRAFT_RUN_HOURS = 24;

/** The document's unchanged bytes in base64: the parser must reject invalid UTF-8, not repair it. */
const Document = z.object({
  ...inWorkspace,
  document_base64: z.string(),
  /** To publish them, their bytes must be in the blob store already; to validate they need not be stored. */
  files: z.array(PackFile).max(PACK_FILES_MAX).default([]),
  strict: z.boolean().default(false),
});

/** The most keys in one page, and the most cases that one request names. */
export const CASE_KEYS_MAX = 10_000;
export const CASES_BY_KEY_MAX = 100;

/** A key as stored: Postgres text cannot hold U+0000. */
const StoredKey = z.string().regex(/^[^\0]*$/, 'must not hold the character U+0000');
const InputSetOfVersion = z.object({ ...inWorkspace, version_id: Uuid, input_set_key: StoredKey });

/** A pack with data files of a million rows is read and stored in less. */
const DATA_FILES_MS_MAX = 240_000;

export const packs = {
  /**
   * Fails with `too_large` for a document that takes too much to read, with `invalid_input` for a file that no asset
   * names.
   */
  validate: rpc('packs.v1.validate', {
    input: Document,
    output: Validation,
    timeoutMs: DATA_FILES_MS_MAX,
  }),
  /**
   * Fails as `validate` does, and with `invalid_pack`, `version_exists`, `pack_metadata_conflict`. A draft conflicts with
   * nothing: it is a version of its own, in no list, until it expires. Fails with `conflict` beyond `DRAFTS_MAX` of them.
   */
  publish: rpc('packs.v1.publish', {
    input: Document.extend({ actor: Actor, draft: z.boolean().default(false) }),
    output: Published,
    timeoutMs: DATA_FILES_MS_MAX,
  }),
  list: rpc('packs.v1.list', {
    input: PageQuery.extend({
      ...inWorkspace,
      family: PlainText.optional(),
      lifecycle_status: z.enum(LIFECYCLE_STATUSES).optional(),
      q: PlainText.max(200).optional(),
    }),
    output: page(Pack),
  }),
  /** By id or slug. */
  get: rpc('packs.v1.get', { input: z.object({ ...inWorkspace, pack: PlainText }), output: Pack }),
  getVersion: rpc('packs.v1.get_version', {
    input: z.object({ ...inWorkspace, version_id: Uuid }),
    output: PackVersion,
  }),
  manifest: rpc('packs.v1.manifest', {
    input: z.object({ ...inWorkspace, version_id: Uuid }),
    output: z.object({ digest: z.string(), manifest: JsonObject }),
  }),
  bundle: rpc('packs.v1.bundle', {
    input: z.object({ ...inWorkspace, version_id: Uuid }),
    output: z.object({ document_base64: z.string() }),
  }),
  setLifecycle: rpc('packs.v1.set_lifecycle', {
    input: z.object({ ...inWorkspace, version_id: Uuid, lifecycle_status: z.enum(LIFECYCLE_STATUSES) }),
    output: PackVersion,
  }),
  inputSets: rpc('packs.v1.input_sets', {
    input: z.object({ ...inWorkspace, version_id: Uuid }),
    output: z.object({ items: z.array(InputSet) }),
  }),
  /** In authored order. */
  cases: rpc('packs.v1.cases', {
    input: PageQuery.extend({ ...inWorkspace, input_set_id: Uuid }),
    output: page(StoredCase),
  }),
  /**
   * The keys of the cases after a position, in authored order: fewer than `limit` where they exceed one reply. Fails with
   * `not_found` for an input set that the version does not have.
   */
  caseKeys: rpc('packs.v1.case_keys', {
    input: InputSetOfVersion.extend({
      after: z.number().int().min(0).max(POSITION_MAX).optional(),
      limit: z.number().int().min(1).max(CASE_KEYS_MAX).default(CASE_KEYS_MAX),
    }),
    output: z.object({ items: z.array(CaseKey), has_more: z.boolean() }),
  }),
  /**
   * The named cases in authored order. `rest` names those that exceed one reply and are to be requested again; keys that
   * the input set does not have are in neither list. Fails as `caseKeys` does.
   */
  casesByKey: rpc('packs.v1.cases_by_key', {
    input: InputSetOfVersion.extend({ case_keys: z.array(StoredKey).min(1).max(CASES_BY_KEY_MAX) }),
    output: z.object({ items: z.array(StoredCase), rest: z.array(z.string()) }),
  }),
};

export const artifacts = {
  /** Registers bytes that are in the blob store under `sha256`; the same bytes and name give the same id. */
  register: rpc('packs.v1.register_artifact', {
    input: z.object({
      ...inWorkspace,
      sha256: Sha256,
      bytes: z.number().int().min(0),
      name: PlainText.min(1).max(512),
      media_type: PlainText.max(255).optional(),
      actor: Actor,
    }),
    output: Artifact,
  }),
  /** Newest first. */
  list: rpc('packs.v1.list_artifacts', {
    input: PageQuery.extend({
      ...inWorkspace,
      sha256: Sha256.optional(),
      /** Only those whose name holds this text. */
      q: PlainText.max(200).optional(),
    }),
    output: page(Artifact),
  }),
  /** Every id must exist in the workspace, else `not_found` names the missing ones. */
  getMany: rpc('packs.v1.get_artifacts', {
    input: z.object({
      ...inWorkspace,
      artifact_ids: z.array(Uuid).max(1_000),
      /**
       * For a caller that is about to refer to them: blocks their deletion for a minute. Fails with `conflict` while
       * one is deleted.
       */
      reserve: z.boolean().optional(),
    }),
    output: z.object({ items: z.array(Artifact) }),
  }),
  /** Fails with `artifact_in_use`, naming what refers to it. The bytes go with the last artifact that has them. */
  remove: rpc('packs.v1.remove_artifact', {
    input: z.object({ ...inWorkspace, artifact_id: Uuid }),
    output: z.object({}),
  }),
  /** Drops bytes that came for an artifact that was not made, unless an artifact of any workspace has them. */
  discard: rpc('packs.v1.discard_bytes', {
    input: z.object({ sha256s: z.array(Sha256).max(PACK_FILES_MAX + 1) }),
    output: z.object({}),
  }),
  /** One step of some seconds: compares the bytes of artifacts with the artifacts. */
  sweep: rpc('packs.v1.sweep_artifacts', { input: SweepRequest, output: SweepStep, timeoutMs: 60_000 }),
};
