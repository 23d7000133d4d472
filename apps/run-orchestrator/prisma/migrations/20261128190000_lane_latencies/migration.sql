-- AlterTable
ALTER TABLE "run_agents" ADD COLUMN     "latency_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "latency_p50_ms" DOUBLE PRECISION,
ADD COLUMN     "latency_p95_ms" DOUBLE PRECISION;

-- Of runs that have ended, by the same rule as from now on at the end of a run. Read from the text: JSON with U+0000 in
-- it cannot be taken apart by operators.
UPDATE "run_agents" AS l
   SET "latency_attempts" = times."attempts", "latency_p50_ms" = times."p50_ms", "latency_p95_ms" = times."p95_ms"
  FROM (SELECT a."run_agent_id", count(*)::int AS "attempts",
               percentile_cont(0.5) WITHIN GROUP (ORDER BY a."ms") AS "p50_ms",
               percentile_cont(0.95) WITHIN GROUP (ORDER BY a."ms") AS "p95_ms"
          FROM (SELECT "run_agent_id", row_number() OVER (PARTITION BY "run_agent_id" ORDER BY "ordinal") AS "position",
                       substring("result"::text FROM '"latency_ms":([0-9]+(?:\.[0-9]+)?)')::float8 AS "ms"
                  FROM "attempts" WHERE "state" = 'finished') AS a
         WHERE a."position" <= 5000 AND a."ms" IS NOT NULL
         GROUP BY a."run_agent_id") AS times, "runs" AS r
 WHERE times."run_agent_id" = l."id" AND r."id" = l."run_id" AND r."finished_at" IS NOT NULL;
