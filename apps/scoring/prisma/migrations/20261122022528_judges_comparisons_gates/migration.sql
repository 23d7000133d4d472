-- AlterTable
ALTER TABLE "attempt_scorecards" ADD COLUMN     "attempt_end" TEXT,
ADD COLUMN     "field_hash" TEXT,
ADD COLUMN     "rescore_id" UUID;

-- AlterTable
ALTER TABLE "rankings" ADD COLUMN     "evaluation_spec_id" UUID,
ADD COLUMN     "judges" TEXT NOT NULL DEFAULT '[]',
ADD COLUMN     "rescore_id" UUID;

-- CreateTable
CREATE TABLE "rescores" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "evaluation_spec_id" UUID NOT NULL,
    "spec_version_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "scored" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rescores_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "judge_samples" (
    "attempt_id" UUID NOT NULL,
    "judge_key" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "sample" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "judge_samples_pkey" PRIMARY KEY ("attempt_id","judge_key","question")
);

-- CreateTable
CREATE TABLE "judge_replies" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "reply" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "judge_replies_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "judging_claims" (
    "attempt_id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "judging_claims_pkey" PRIMARY KEY ("attempt_id")
);

-- CreateTable
CREATE TABLE "comparisons" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "comparisons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gate_decisions" (
    "comparison_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "baseline_run_id" UUID NOT NULL,
    "candidate_run_id" UUID NOT NULL,
    "policy_fingerprint" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reasons" TEXT[],
    "exit_code" INTEGER NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by" TEXT NOT NULL,

    CONSTRAINT "gate_decisions_pkey" PRIMARY KEY ("comparison_id")
);

-- CreateTable
CREATE TABLE "baselines" (
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "run_agent_id" UUID,
    "agent_name" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "baselines_pkey" PRIMARY KEY ("workspace_id","name")
);

-- CreateTable
CREATE TABLE "gate_policies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gate_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gate_policy_versions" (
    "policy_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "gate_policy_versions_pkey" PRIMARY KEY ("policy_id","version")
);

-- CreateIndex
CREATE INDEX "rescores_run_id_id_idx" ON "rescores"("run_id", "id");

-- CreateIndex
CREATE INDEX "rescores_state_touched_at_idx" ON "rescores"("state", "touched_at");

-- CreateIndex
CREATE INDEX "gate_decisions_workspace_id_candidate_run_id_idx" ON "gate_decisions"("workspace_id", "candidate_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "gate_policies_workspace_id_name_key" ON "gate_policies"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_scorecards_attempt_id_rescore_id_key" ON "attempt_scorecards"("attempt_id", "rescore_id");

-- CreateIndex
CREATE UNIQUE INDEX "rankings_run_id_rescore_id_key" ON "rankings"("run_id", "rescore_id");

-- AddForeignKey
ALTER TABLE "gate_policy_versions" ADD CONSTRAINT "gate_policy_versions_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "gate_policies"("id") ON DELETE CASCADE ON UPDATE CASCADE;
