-- CreateTable
CREATE TABLE "deployment_model_aliases" (
    "deployment_id" UUID NOT NULL,
    "model_alias_id" UUID NOT NULL,

    CONSTRAINT "deployment_model_aliases_pkey" PRIMARY KEY ("deployment_id","model_alias_id")
);

-- CreateIndex
CREATE INDEX "deployment_model_aliases_model_alias_id_idx" ON "deployment_model_aliases"("model_alias_id");

-- AddForeignKey
ALTER TABLE "deployment_model_aliases" ADD CONSTRAINT "deployment_model_aliases_deployment_id_fkey" FOREIGN KEY ("deployment_id") REFERENCES "deployments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployment_model_aliases" ADD CONSTRAINT "deployment_model_aliases_model_alias_id_fkey" FOREIGN KEY ("model_alias_id") REFERENCES "model_aliases"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The aliases of deployments that exist. JSON with U+0000 cannot be read apart in the database: such a deployment keeps
-- its first model alone until its next revision.
INSERT INTO "deployment_model_aliases" ("deployment_id", "model_alias_id")
SELECT "id", "model_alias_id" FROM "deployments" WHERE "model_alias_id" IS NOT NULL;

WITH "readable" AS MATERIALIZED (
    SELECT "id", "workspace_id", "kind", "config", "variants" FROM "deployments"
    WHERE "config"::text NOT LIKE '%\\u0000%' AND ("variants" IS NULL OR "variants"::text NOT LIKE '%\\u0000%')
), "configs" AS (
    SELECT "id", "workspace_id", "kind", "config" FROM "readable"
    UNION ALL
    SELECT r."id", r."workspace_id", r."kind", v."value" FROM "readable" r, json_each(r."variants") v
    WHERE r."variants" IS NOT NULL
), "names" AS (
    SELECT "id", "workspace_id", "config" ->> 'model_alias' AS "name" FROM "configs" WHERE "kind" = 'model'
    UNION ALL
    SELECT "id", "workspace_id", "config" #>> '{models,main}' FROM "configs" WHERE "kind" = 'program'
    UNION ALL
    SELECT "id", "workspace_id", "config" #>> '{models,small}' FROM "configs" WHERE "kind" = 'program'
)
INSERT INTO "deployment_model_aliases" ("deployment_id", "model_alias_id")
SELECT n."id", a."id" FROM "names" n
JOIN "model_aliases" a ON a."workspace_id" = n."workspace_id" AND a."name" = n."name"
ON CONFLICT DO NOTHING;
