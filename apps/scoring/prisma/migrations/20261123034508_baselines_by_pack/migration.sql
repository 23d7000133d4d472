-- AlterTable
ALTER TABLE "baselines" ADD COLUMN     "adopted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "gate_decisions" ADD COLUMN     "detectable" TEXT,
ADD COLUMN     "notes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "run_baselines" (
    "workspace_id" UUID NOT NULL,
    "pack_slug" TEXT NOT NULL,
    "input_set_key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "run_agent_id" UUID,
    "agent_name" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "run_baselines_pkey" PRIMARY KEY ("workspace_id","name","pack_slug","input_set_key")
);
