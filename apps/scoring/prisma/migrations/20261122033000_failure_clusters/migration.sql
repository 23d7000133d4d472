-- CreateTable
CREATE TABLE "failure_clusters" (
    "run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_agent_id" UUID NOT NULL,
    "agent_name" TEXT NOT NULL,
    "cluster_key" TEXT NOT NULL,
    "case_key" TEXT NOT NULL,
    "failure_class" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "agent_fault" BOOLEAN NOT NULL,
    "failing_keys" TEXT[],
    "attempts" INTEGER NOT NULL,
    "attempt_id" UUID NOT NULL,

    CONSTRAINT "failure_clusters_pkey" PRIMARY KEY ("run_id","position")
);

-- CreateIndex
CREATE INDEX "failure_clusters_workspace_id_cluster_key_idx" ON "failure_clusters"("workspace_id", "cluster_key");
