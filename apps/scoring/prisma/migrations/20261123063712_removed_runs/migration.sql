-- CreateTable
CREATE TABLE "removed_runs" (
    "run_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "released_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "removed_runs_pkey" PRIMARY KEY ("run_id")
);

-- CreateIndex
CREATE INDEX "run_baselines_run_id_idx" ON "run_baselines"("run_id");
