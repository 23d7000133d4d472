-- AlterTable
ALTER TABLE "rescores" ADD COLUMN     "reviews_through" BIGINT;

-- CreateTable
CREATE TABLE "review_queues" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "challenge_pack_version_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT,
    "seed" INTEGER NOT NULL,
    "items" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "review_queues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "review_items" (
    "id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "case_key" TEXT NOT NULL,
    "repetition" INTEGER NOT NULL,
    "first_attempt_id" UUID NOT NULL,
    "first_agent_id" UUID NOT NULL,
    "second_attempt_id" UUID,
    "second_agent_id" UUID,
    "repeats" UUID,

    CONSTRAINT "review_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reviews" (
    "sequence" BIGSERIAL NOT NULL,
    "item_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "rater" TEXT NOT NULL,
    "choice" TEXT,
    "first_shown" TEXT NOT NULL,
    "label" TEXT,
    "scores" TEXT NOT NULL DEFAULT '{}',
    "note" TEXT,
    "first_delivery" INTEGER NOT NULL,
    "second_delivery" INTEGER,
    "is_withdrawn" BOOLEAN NOT NULL DEFAULT false,
    "reviewed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reviews_pkey" PRIMARY KEY ("sequence")
);

-- CreateIndex
CREATE INDEX "review_queues_workspace_id_id_idx" ON "review_queues"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "review_queues_run_id_idx" ON "review_queues"("run_id");

-- CreateIndex
CREATE INDEX "review_items_queue_id_idx" ON "review_items"("queue_id");

-- CreateIndex
CREATE INDEX "review_items_first_attempt_id_idx" ON "review_items"("first_attempt_id");

-- CreateIndex
CREATE INDEX "review_items_second_attempt_id_idx" ON "review_items"("second_attempt_id");

-- CreateIndex
CREATE INDEX "reviews_item_id_rater_sequence_idx" ON "reviews"("item_id", "rater", "sequence" DESC);

-- CreateIndex
CREATE INDEX "reviews_queue_id_sequence_idx" ON "reviews"("queue_id", "sequence");

-- AddForeignKey
ALTER TABLE "review_items" ADD CONSTRAINT "review_items_queue_id_fkey" FOREIGN KEY ("queue_id") REFERENCES "review_queues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "review_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;
