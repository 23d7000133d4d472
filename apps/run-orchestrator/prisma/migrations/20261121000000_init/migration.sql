-- CreateTable
CREATE TABLE "deployments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "active_name" TEXT,
    "kind" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "runtime_profile_id" UUID,
    "config" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runtime_profiles" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "spec" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runtime_profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "version_id" UUID NOT NULL,
    "evaluation_spec_id" UUID NOT NULL,
    "pack_slug" TEXT NOT NULL,
    "pack_name" TEXT NOT NULL,
    "pack_version_number" INTEGER NOT NULL,
    "input_set_id" UUID NOT NULL,
    "input_set_key" TEXT NOT NULL,
    "repetitions" INTEGER NOT NULL,
    "max_concurrency" INTEGER,
    "limits" JSON NOT NULL,
    "labels" JSONB NOT NULL,
    "warnings" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "event_position" INTEGER NOT NULL DEFAULT 0,
    "event_sequence" INTEGER NOT NULL DEFAULT 0,
    "unfinished" INTEGER NOT NULL DEFAULT 0,
    "unscored" INTEGER NOT NULL DEFAULT 0,
    "ranking" JSON,
    "score_due_at" TIMESTAMPTZ(3),
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_agents" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "deployment_id" UUID NOT NULL,
    "deployment_revision" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "snapshot" JSON NOT NULL,
    "queued" INTEGER NOT NULL DEFAULT 0,
    "running" INTEGER NOT NULL DEFAULT 0,
    "scored" INTEGER NOT NULL DEFAULT 0,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "graded" INTEGER NOT NULL DEFAULT 0,
    "overall_sum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "completed" INTEGER NOT NULL DEFAULT 0,
    "agent_error" INTEGER NOT NULL DEFAULT 0,
    "limit_reached" INTEGER NOT NULL DEFAULT 0,
    "policy_violation" INTEGER NOT NULL DEFAULT 0,
    "provider_error" INTEGER NOT NULL DEFAULT 0,
    "infra_error" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "run_agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "run_agent_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "case_key" TEXT NOT NULL,
    "repetition" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "delivery" INTEGER NOT NULL DEFAULT 0,
    "nudge" INTEGER NOT NULL DEFAULT 0,
    "nudged_at" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "executor_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "result" JSON,
    "score_nudge" INTEGER NOT NULL DEFAULT 0,
    "score_due_at" TIMESTAMPTZ(3),
    "score_revision" INTEGER,
    "overall" DOUBLE PRECISION,
    "passed" BOOLEAN,
    "validity" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "attempt_id" UUID NOT NULL,
    "delivery" INTEGER NOT NULL,
    "executor_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "result" JSON,
    "events_stored" INTEGER NOT NULL DEFAULT 0,
    "last_sequence" INTEGER,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("attempt_id","delivery")
);

-- CreateTable
CREATE TABLE "events" (
    "run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "event_id" UUID NOT NULL,
    "run_agent_id" UUID,
    "attempt_id" UUID,
    "delivery" INTEGER,
    "case_key" TEXT,
    "repetition" INTEGER,
    "sequence_number" INTEGER NOT NULL,
    "event_type" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "payload" JSON NOT NULL,
    "summary" JSON NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("run_id","position")
);

-- CreateIndex
CREATE INDEX "deployments_workspace_id_id_idx" ON "deployments"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "deployments_runtime_profile_id_idx" ON "deployments"("runtime_profile_id");

-- CreateIndex
CREATE UNIQUE INDEX "deployments_workspace_id_active_name_key" ON "deployments"("workspace_id", "active_name");

-- CreateIndex
CREATE INDEX "runtime_profiles_workspace_id_id_idx" ON "runtime_profiles"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "runtime_profiles_workspace_id_name_key" ON "runtime_profiles"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "runs_workspace_id_id_idx" ON "runs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "runs_status_finished_at_idx" ON "runs"("status", "finished_at");

-- CreateIndex
CREATE INDEX "runs_score_due_at_idx" ON "runs"("score_due_at");

-- CreateIndex
CREATE INDEX "runs_announced_at_idx" ON "runs"("announced_at");

-- CreateIndex
CREATE INDEX "run_agents_run_id_ordinal_idx" ON "run_agents"("run_id", "ordinal");

-- CreateIndex
CREATE INDEX "run_agents_deployment_id_idx" ON "run_agents"("deployment_id");

-- CreateIndex
CREATE INDEX "attempts_run_id_state_nudged_at_ordinal_idx" ON "attempts"("run_id", "state", "nudged_at", "ordinal");

-- CreateIndex
CREATE INDEX "attempts_run_agent_id_ordinal_idx" ON "attempts"("run_agent_id", "ordinal");

-- CreateIndex
CREATE INDEX "attempts_state_nudged_at_idx" ON "attempts"("state", "nudged_at");

-- CreateIndex
CREATE INDEX "attempts_lease_until_idx" ON "attempts"("lease_until");

-- CreateIndex
CREATE INDEX "attempts_score_due_at_idx" ON "attempts"("score_due_at");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_run_id_ordinal_key" ON "attempts"("run_id", "ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "events_attempt_id_delivery_sequence_number_key" ON "events"("attempt_id", "delivery", "sequence_number");

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_runtime_profile_id_fkey" FOREIGN KEY ("runtime_profile_id") REFERENCES "runtime_profiles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_agents" ADD CONSTRAINT "run_agents_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_run_agent_id_fkey" FOREIGN KEY ("run_agent_id") REFERENCES "run_agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
