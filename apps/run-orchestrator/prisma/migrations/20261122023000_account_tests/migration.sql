-- CreateTable
CREATE TABLE "account_tests" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "over_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_tests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_tests_over_at_idx" ON "account_tests"("over_at");
