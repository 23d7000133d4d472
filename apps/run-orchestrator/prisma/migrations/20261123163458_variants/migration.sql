-- AlterTable
ALTER TABLE "deployments" ADD COLUMN     "baseline" TEXT,
ADD COLUMN     "variants" JSON;

-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "variant" JSONB;
