-- CreateTable
CREATE TABLE "attempt_scorecards" (
    "attempt_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "run_agent_id" UUID NOT NULL,
    "case_key" TEXT NOT NULL,
    "repetition" INTEGER NOT NULL,
    "evaluation_spec_id" UUID NOT NULL,
    "spec_hash" TEXT NOT NULL,
    "evidence_hash" TEXT NOT NULL,
    "scorecard" TEXT,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "scored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attempt_scorecards_pkey" PRIMARY KEY ("attempt_id","revision")
);

-- CreateTable
CREATE TABLE "run_agent_scorecards" (
    "run_agent_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "evaluation_spec_id" UUID NOT NULL,
    "spec_hash" TEXT NOT NULL,
    "evidence_hash" TEXT NOT NULL,
    "scorecard" TEXT NOT NULL,
    "scored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_agent_scorecards_pkey" PRIMARY KEY ("run_agent_id","revision")
);

-- CreateTable
CREATE TABLE "rankings" (
    "run_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "items" TEXT NOT NULL,
    "ranked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rankings_pkey" PRIMARY KEY ("run_id","revision")
);

-- CreateIndex
CREATE INDEX "attempt_scorecards_run_agent_id_idx" ON "attempt_scorecards"("run_agent_id");

-- CreateIndex
CREATE INDEX "run_agent_scorecards_run_id_idx" ON "run_agent_scorecards"("run_id");
