-- CreateTable
CREATE TABLE "executors" (
    "id" TEXT NOT NULL,
    "report" JSON NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "executors_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "executors_seen_at_idx" ON "executors"("seen_at");
