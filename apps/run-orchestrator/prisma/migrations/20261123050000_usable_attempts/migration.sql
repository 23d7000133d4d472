-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "usable" INTEGER NOT NULL DEFAULT 0;

UPDATE "run_agents" AS agent
   SET "usable" = scored.usable
  FROM (SELECT run_agent_id, count(*) AS usable FROM "attempts"
         WHERE "score_revision" IS NOT NULL AND "validity" <> 'invalid' GROUP BY run_agent_id) AS scored
 WHERE agent.id = scored.run_agent_id;
