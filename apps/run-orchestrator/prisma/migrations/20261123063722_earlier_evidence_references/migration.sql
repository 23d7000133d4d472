-- What rows from before the triggers refer to. On its own, so that no table is locked while they are read.

INSERT INTO "evidence_references" ("run_id", "sha256", "bytes", "workspace_id")
SELECT DISTINCT ON (found.run_id, found.sha256) found.run_id, found.sha256, found.bytes, r.workspace_id
  FROM (SELECT run_id, substring(payload::text FROM '^\{"\$ref":"sha256:([0-9a-f]{64})"') AS sha256,
               coalesce(substring(payload::text FROM '"bytes":([0-9]{1,18})'), '0')::bigint AS bytes
          FROM "events" WHERE starts_with(payload::text, '{"$ref":"sha256:')
        UNION ALL
        SELECT a.run_id,
               substring(d.result::text FROM '"snapshot":\s*\{[^{}]*"sha256":\s*"([0-9a-f]{64})"'),
               coalesce(substring(d.result::text FROM '"snapshot":\s*\{[^{}]*"bytes":\s*([0-9]{1,18})'), '0')::bigint
          FROM "deliveries" d JOIN "attempts" a ON a.id = d.attempt_id WHERE d.result IS NOT NULL
        UNION ALL
        SELECT a.run_id, substring(t.state::text FROM '^\{"\$ref":"([0-9a-f]{64})"'),
               coalesce(substring(t.state::text FROM '"bytes":([0-9]{1,18})'), '0')::bigint
          FROM "awaited_turns" t JOIN "attempts" a ON a.id = t.attempt_id) AS found
  JOIN "runs" r ON r.id = found.run_id
 WHERE found.sha256 IS NOT NULL
 ORDER BY found.run_id, found.sha256
ON CONFLICT DO NOTHING;
