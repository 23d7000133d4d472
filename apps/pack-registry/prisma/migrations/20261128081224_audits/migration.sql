-- CreateTable
CREATE TABLE "audits" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "is_quick" BOOLEAN NOT NULL,
    "seed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "executor_id" TEXT,
    "delivery" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "progress" TEXT,
    "certificate" TEXT,
    "report" TEXT,
    "error_code" TEXT,
    "error_message" TEXT,

    CONSTRAINT "audits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_policies" (
    "workspace_id" UUID NOT NULL,
    "require_audit" BOOLEAN NOT NULL,
    "min_strength" DOUBLE PRECISION,
    "max_age_days" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "audit_policies_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "audits_version_id_id_idx" ON "audits"("version_id", "id");

-- CreateIndex
CREATE INDEX "audits_workspace_id_status_idx" ON "audits"("workspace_id", "status");

-- A version has one active audit at most.
CREATE UNIQUE INDEX "audits_active_key" ON "audits"("version_id") WHERE status IN ('queued', 'running');

-- AddForeignKey
ALTER TABLE "audits" ADD CONSTRAINT "audits_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
