-- CreateTable
CREATE TABLE "cached_replies" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "delivery" INTEGER NOT NULL,
    "sequence_number" INTEGER NOT NULL,
    "cached_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cached_replies_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateIndex
CREATE INDEX "cached_replies_run_id_idx" ON "cached_replies"("run_id");

-- AddForeignKey
ALTER TABLE "cached_replies" ADD CONSTRAINT "cached_replies_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
