-- DropIndex
DROP INDEX "attempts_run_id_state_nudged_at_ordinal_idx";

-- DropIndex
DROP INDEX "attempts_state_nudged_at_idx";

-- DropIndex
DROP INDEX "attempts_lease_until_idx";

-- DropIndex
DROP INDEX "attempts_score_due_at_idx";

-- CreateIndex
CREATE INDEX "attempts_waiting_idx" ON "attempts"("run_id", "ordinal") WHERE state = 'queued' AND nudged_at IS NULL;

-- CreateIndex
CREATE INDEX "attempts_handed_out_idx" ON "attempts"("run_id", "ordinal") WHERE (state = 'queued' AND nudged_at IS NOT NULL) OR state IN ('preparing', 'running', 'settling', 'verifying');

-- CreateIndex
CREATE INDEX "attempts_lease_until_idx" ON "attempts"("lease_until") WHERE lease_until IS NOT NULL;

-- CreateIndex
CREATE INDEX "attempts_score_due_at_idx" ON "attempts"("score_due_at") WHERE score_due_at IS NOT NULL;
