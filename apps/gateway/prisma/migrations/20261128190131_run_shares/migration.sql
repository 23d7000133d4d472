-- CreateTable
CREATE TABLE "run_shares" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "run_shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_shares_sha256_key" ON "run_shares"("sha256");

-- CreateIndex
CREATE INDEX "run_shares_workspace_id_run_id_id_idx" ON "run_shares"("workspace_id", "run_id", "id");

-- CreateIndex
CREATE INDEX "run_shares_expires_at_idx" ON "run_shares"("expires_at");

-- AddForeignKey
ALTER TABLE "run_shares" ADD CONSTRAINT "run_shares_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
