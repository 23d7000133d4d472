-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "note" TEXT,
ADD COLUMN     "number" INTEGER;

-- CreateTable
CREATE TABLE "run_numbers" (
    "workspace_id" UUID NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "run_numbers_pkey" PRIMARY KEY ("workspace_id")
);

-- Runs that exist are numbered in the order in which they were created. A run that is being deleted has no workspace,
-- and no number.
UPDATE "runs" SET "number" = numbered."number"
  FROM (SELECT "id", row_number() OVER (PARTITION BY "workspace_id" ORDER BY "id") AS "number"
          FROM "runs" WHERE "workspace_id" <> '00000000-0000-0000-0000-000000000000') AS numbered
 WHERE "runs"."id" = numbered."id";
INSERT INTO "run_numbers" ("workspace_id", "last")
SELECT "workspace_id", max("number") FROM "runs" WHERE "number" IS NOT NULL GROUP BY "workspace_id";

-- CreateIndex
CREATE UNIQUE INDEX "runs_workspace_id_number_key" ON "runs"("workspace_id", "number");

-- The next number of a workspace: never one that a run had before, though that run was deleted.
CREATE FUNCTION "next_run_number"("workspace" UUID) RETURNS INTEGER LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO "run_numbers" AS counted ("workspace_id", "last") VALUES ("workspace", 1)
  ON CONFLICT ("workspace_id") DO UPDATE SET "last" = counted."last" + 1
  RETURNING "last"
$$;

-- A service of an earlier release writes runs without a number.
CREATE FUNCTION "number_run"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW."number" := "next_run_number"(NEW."workspace_id");
  RETURN NEW;
END
$$;
CREATE TRIGGER "runs_number" BEFORE INSERT ON "runs"
  FOR EACH ROW WHEN (NEW."number" IS NULL) EXECUTE FUNCTION "number_run"();
