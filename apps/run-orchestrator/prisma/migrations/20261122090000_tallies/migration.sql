-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "cost_usd" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "judged" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tokens" DOUBLE PRECISION NOT NULL DEFAULT 0;

UPDATE "run_agents" AS agent
   SET "judged" = scored.judged
  FROM (SELECT run_agent_id, count(*) AS judged FROM "attempts" WHERE "passed" IS NOT NULL GROUP BY run_agent_id) AS scored
 WHERE agent.id = scored.run_agent_id;
