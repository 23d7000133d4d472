-- AlterTable
ALTER TABLE "gate_decisions" ADD COLUMN     "announced_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "gate_decisions_announced_at_idx" ON "gate_decisions"("announced_at");

-- Earlier decisions are no news.
UPDATE "gate_decisions" SET "announced_at" = "decided_at";
