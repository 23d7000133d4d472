-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "unpriced" INTEGER NOT NULL DEFAULT 0;

-- Runs of earlier releases counted a cost that is unknown as 0: that of endpoints, and that of tokens which cost nothing
-- although they were not served from a recording or a cache.
UPDATE "run_agents" a SET "unpriced" = 1
FROM "runs" r
WHERE r."id" = a."run_id"
  AND (a."kind" = 'endpoint'
    OR (a."cost_usd" = 0 AND a."tokens" > 0 AND COALESCE(r."model_calls", '') NOT IN ('replay', 'cache')));
