-- AlterTable
ALTER TABLE "artifacts" ADD COLUMN     "deleting_until" TIMESTAMPTZ(3),
ADD COLUMN     "reserved_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "version_artifacts" (
    "version_id" UUID NOT NULL,
    "artifact_id" UUID NOT NULL,

    CONSTRAINT "version_artifacts_pkey" PRIMARY KEY ("version_id","artifact_id")
);

-- CreateIndex
CREATE INDEX "version_artifacts_artifact_id_idx" ON "version_artifacts"("artifact_id");

-- CreateIndex
CREATE INDEX "artifacts_sha256_idx" ON "artifacts"("sha256");

-- AddForeignKey
ALTER TABLE "version_artifacts" ADD CONSTRAINT "version_artifacts_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "version_artifacts" ADD CONSTRAINT "version_artifacts_artifact_id_fkey" FOREIGN KEY ("artifact_id") REFERENCES "artifacts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the versions published so far refer to.
INSERT INTO "version_artifacts" ("version_id", "artifact_id")
SELECT v."id", a."id"
FROM "versions" v
JOIN "packs" p ON p."id" = v."pack_id"
JOIN "artifacts" a ON a."workspace_id" = p."workspace_id"
WHERE a."id" = v."bundle_artifact_id" OR position('"artifact_id":"' || a."id" || '"' IN v."manifest") > 0;
