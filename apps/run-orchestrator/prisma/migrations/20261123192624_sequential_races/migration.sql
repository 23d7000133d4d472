-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "halted_at" TIMESTAMPTZ(3),
ADD COLUMN     "skipped" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "race" JSON,
ADD COLUMN     "race_baseline" JSON,
ADD COLUMN     "race_blocks" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "race_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "seed" BIGINT,
ADD COLUMN     "stop_when" JSON,
ADD COLUMN     "stopped" TEXT;

-- CreateIndex
CREATE INDEX "runs_race_due_at_idx" ON "runs"("race_due_at") WHERE (race_due_at IS NOT NULL);
