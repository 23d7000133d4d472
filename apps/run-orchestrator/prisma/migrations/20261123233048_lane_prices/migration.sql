-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "prices" JSON;
