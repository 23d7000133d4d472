-- CreateTable
CREATE TABLE "packs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "packs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "versions" (
    "id" UUID NOT NULL,
    "pack_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "execution_mode" TEXT NOT NULL,
    "lifecycle_status" TEXT NOT NULL DEFAULT 'runnable',
    "evaluation_spec_id" UUID NOT NULL,
    "bundle_artifact_id" UUID,
    "summary" TEXT NOT NULL,
    "manifest" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_by" TEXT NOT NULL,

    CONSTRAINT "versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "input_sets" (
    "id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "challenge_key" TEXT NOT NULL,
    "case_count" INTEGER NOT NULL,

    CONSTRAINT "input_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cases" (
    "input_set_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "challenge_key" TEXT NOT NULL,
    "case_key" TEXT NOT NULL,
    "item_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "document" TEXT NOT NULL,

    CONSTRAINT "cases_pkey" PRIMARY KEY ("input_set_id","position")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "packs_workspace_id_slug_key" ON "packs"("workspace_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "versions_pack_id_number_key" ON "versions"("pack_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "input_sets_version_id_key_key" ON "input_sets"("version_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_workspace_id_sha256_name_key" ON "artifacts"("workspace_id", "sha256", "name");

-- AddForeignKey
ALTER TABLE "versions" ADD CONSTRAINT "versions_pack_id_fkey" FOREIGN KEY ("pack_id") REFERENCES "packs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "input_sets" ADD CONSTRAINT "input_sets_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cases" ADD CONSTRAINT "cases_input_set_id_fkey" FOREIGN KEY ("input_set_id") REFERENCES "input_sets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
