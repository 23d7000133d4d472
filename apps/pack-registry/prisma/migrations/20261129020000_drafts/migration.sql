-- AlterTable
ALTER TABLE "packs" ADD COLUMN "draft_expires_at" TIMESTAMPTZ(3);

-- DropIndex
DROP INDEX "packs_workspace_id_slug_key";

-- CreateIndex
CREATE UNIQUE INDEX "packs_workspace_id_slug_key" ON "packs"("workspace_id", "slug") WHERE (draft_expires_at IS NULL);

-- CreateIndex
CREATE INDEX "packs_workspace_id_draft_expires_at_idx" ON "packs"("workspace_id", "draft_expires_at") WHERE (draft_expires_at IS NOT NULL);
