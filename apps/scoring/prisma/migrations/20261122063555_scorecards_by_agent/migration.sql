-- DropIndex
DROP INDEX "attempt_scorecards_run_agent_id_idx";

-- CreateIndex
CREATE INDEX "attempt_scorecards_run_agent_id_attempt_id_revision_idx" ON "attempt_scorecards"("run_agent_id", "attempt_id", "revision" DESC);
