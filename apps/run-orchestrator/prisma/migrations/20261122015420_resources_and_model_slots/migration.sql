-- DropForeignKey
ALTER TABLE "deployments" DROP CONSTRAINT "deployments_runtime_profile_id_fkey";

-- AlterTable
ALTER TABLE "deployments" ADD COLUMN     "model_alias_id" UUID,
ADD COLUMN     "provider_account_id" UUID;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "pack_models" JSON NOT NULL DEFAULT '{}',
ADD COLUMN     "race_step_gap" INTEGER;

-- CreateTable
CREATE TABLE "deployment_tools" (
    "deployment_id" UUID NOT NULL,
    "tool_id" UUID NOT NULL,

    CONSTRAINT "deployment_tools_pkey" PRIMARY KEY ("deployment_id","tool_id")
);

-- CreateTable
CREATE TABLE "provider_accounts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "spec" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "provider_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_aliases" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "provider_account_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "model_aliases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tools" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "lifecycle_status" TEXT NOT NULL,
    "spec" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "tools_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_limits" (
    "account_id" UUID NOT NULL,
    "state" JSON NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_limits_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "model_slots" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "held_since" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_slots_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_turns" (
    "account_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "served_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_turns_pkey" PRIMARY KEY ("account_id","run_id")
);

-- CreateIndex
CREATE INDEX "deployment_tools_tool_id_idx" ON "deployment_tools"("tool_id");

-- CreateIndex
CREATE INDEX "provider_accounts_workspace_id_id_idx" ON "provider_accounts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_accounts_workspace_id_name_key" ON "provider_accounts"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "model_aliases_workspace_id_id_idx" ON "model_aliases"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "model_aliases_provider_account_id_idx" ON "model_aliases"("provider_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "model_aliases_workspace_id_name_key" ON "model_aliases"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "tools_workspace_id_id_idx" ON "tools"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tools_workspace_id_name_key" ON "tools"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "model_slots_account_id_idx" ON "model_slots"("account_id");

-- CreateIndex
CREATE INDEX "deployments_provider_account_id_idx" ON "deployments"("provider_account_id");

-- CreateIndex
CREATE INDEX "deployments_model_alias_id_idx" ON "deployments"("model_alias_id");

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_runtime_profile_id_fkey" FOREIGN KEY ("runtime_profile_id") REFERENCES "runtime_profiles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_accounts"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_model_alias_id_fkey" FOREIGN KEY ("model_alias_id") REFERENCES "model_aliases"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_tools" ADD CONSTRAINT "deployment_tools_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_tools" ADD CONSTRAINT "deployment_tools_tool_id_fkey" FOREIGN KEY ("tool_id") REFERENCES "tools"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "model_aliases" ADD CONSTRAINT "model_aliases_provider_account_id_fkey" FOREIGN KEY ("provider_account_id") REFERENCES "provider_accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
