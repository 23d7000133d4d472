-- AlterTable
ALTER TABLE "attempts" ADD COLUMN     "deliveries_max" INTEGER NOT NULL DEFAULT 3;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "request_id" TEXT,
ADD COLUMN     "round" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "selective_retry" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "runs_workspace_id_request_id_key" ON "runs"("workspace_id", "request_id");
