-- AlterTable
ALTER TABLE "runs" ADD COLUMN "is_draft" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "runs_finished_at_idx" ON "runs"("finished_at") WHERE (is_draft);

-- Runs of drafts have no number.
DROP TRIGGER "runs_number" ON "runs";
CREATE TRIGGER "runs_number" BEFORE INSERT ON "runs"
  FOR EACH ROW WHEN (NEW."number" IS NULL AND NOT NEW."is_draft") EXECUTE FUNCTION "number_run"();
