-- CreateTable
CREATE TABLE "run_deletions" (
    "run_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "requested_by" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_deletions_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "evidence_references" (
    "run_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "workspace_id" UUID NOT NULL,

    CONSTRAINT "evidence_references_pkey" PRIMARY KEY ("run_id","sha256")
);

-- CreateTable
CREATE TABLE "workspace_storage" (
    "workspace_id" UUID NOT NULL,
    "retention_days" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "workspace_storage_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "storage_sweeps" (
    "area" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "storage_sweeps_pkey" PRIMARY KEY ("area")
);

-- CreateIndex
CREATE INDEX "evidence_references_sha256_idx" ON "evidence_references"("sha256");

-- CreateIndex
CREATE INDEX "evidence_references_workspace_id_bytes_idx" ON "evidence_references"("workspace_id", "bytes");

-- CreateIndex
CREATE INDEX "runs_workspace_id_finished_at_idx" ON "runs"("workspace_id", "finished_at");

-- What a row refers to is read from its text: JSON with U+0000 in it cannot be taken apart by operators. A quote within
-- a string is escaped, so no text that an agent wrote looks like one of these members.

CREATE FUNCTION "refer_of_events"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "evidence_references" ("run_id", "sha256", "bytes", "workspace_id")
  SELECT DISTINCT ON (e.run_id, found.sha256) e.run_id, found.sha256, found.bytes, r.workspace_id
    FROM (SELECT run_id, payload::text AS said FROM stored WHERE starts_with(payload::text, '{"$ref":"sha256:')) AS e
    CROSS JOIN LATERAL (
      SELECT substring(e.said FROM '^\{"\$ref":"sha256:([0-9a-f]{64})"') AS sha256,
             coalesce(substring(e.said FROM '"bytes":([0-9]{1,18})'), '0')::bigint AS bytes) AS found
    JOIN "runs" r ON r.id = e.run_id
   WHERE found.sha256 IS NOT NULL
   ORDER BY e.run_id, found.sha256
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "refer_of_delivery"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "evidence_references" ("run_id", "sha256", "bytes", "workspace_id")
  SELECT r.id, found.sha256, found.bytes, r.workspace_id
    FROM (SELECT substring(NEW.result::text FROM '"snapshot":\s*\{[^{}]*"sha256":\s*"([0-9a-f]{64})"') AS sha256,
                 coalesce(substring(NEW.result::text FROM '"snapshot":\s*\{[^{}]*"bytes":\s*([0-9]{1,18})'), '0')::bigint
                   AS bytes) AS found
    JOIN "attempts" a ON a.id = NEW.attempt_id
    JOIN "runs" r ON r.id = a.run_id
   WHERE found.sha256 IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION "refer_of_awaited_turn"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "evidence_references" ("run_id", "sha256", "bytes", "workspace_id")
  SELECT r.id, found.sha256, found.bytes, r.workspace_id
    FROM (SELECT substring(NEW.state::text FROM '^\{"\$ref":"([0-9a-f]{64})"') AS sha256,
                 coalesce(substring(NEW.state::text FROM '"bytes":([0-9]{1,18})'), '0')::bigint AS bytes) AS found
    JOIN "attempts" a ON a.id = NEW.attempt_id
    JOIN "runs" r ON r.id = a.run_id
   WHERE found.sha256 IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "events_refer" AFTER INSERT ON "events" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION "refer_of_events"();
CREATE TRIGGER "deliveries_refer" AFTER INSERT OR UPDATE OF "result" ON "deliveries"
  FOR EACH ROW WHEN (NEW.result IS NOT NULL) EXECUTE FUNCTION "refer_of_delivery"();
CREATE TRIGGER "awaited_turns_refer" AFTER INSERT OR UPDATE OF "state" ON "awaited_turns"
  FOR EACH ROW EXECUTE FUNCTION "refer_of_awaited_turn"();
