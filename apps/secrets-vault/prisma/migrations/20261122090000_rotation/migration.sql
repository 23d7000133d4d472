-- Grants are told by whose they are. One without a holder is for every attempt of its run.
ALTER TABLE "grants" ADD COLUMN "holder" TEXT NOT NULL DEFAULT 'run';
ALTER TABLE "grants" DROP CONSTRAINT "grants_pkey", ADD CONSTRAINT "grants_pkey" PRIMARY KEY ("run_id", "holder", "key");

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN "version" INTEGER,
ADD COLUMN "run_id" UUID,
ADD COLUMN "delivery" INTEGER;

-- DropIndex
DROP INDEX "audit_entries_workspace_id_at_idx";

-- CreateTable
CREATE TABLE "retired_keys" (
    "id" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_by" TEXT NOT NULL,

    CONSTRAINT "retired_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_id_idx" ON "audit_entries"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_key_id_idx" ON "audit_entries"("workspace_id", "key", "id");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");
