-- CreateTable
CREATE TABLE "run_budgets" (
    "run_id" UUID NOT NULL,
    "tokens_max" BIGINT,
    "nano_usd_max" BIGINT,
    "tokens_spent" BIGINT NOT NULL DEFAULT 0,
    "nano_usd_spent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "run_budgets_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "budget_reservations" (
    "call_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "delivery" INTEGER NOT NULL,
    "tokens" BIGINT NOT NULL,
    "nano_usd" BIGINT NOT NULL,

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("call_id")
);

-- CreateIndex
CREATE INDEX "budget_reservations_run_id_idx" ON "budget_reservations"("run_id");

-- AddForeignKey
ALTER TABLE "run_budgets" ADD CONSTRAINT "run_budgets_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run_budgets"("run_id") ON DELETE CASCADE ON UPDATE CASCADE;
