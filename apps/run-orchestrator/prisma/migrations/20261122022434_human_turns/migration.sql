-- CreateTable
CREATE TABLE "awaited_turns" (
    "attempt_id" UUID NOT NULL,
    "delivery" INTEGER NOT NULL,
    "turn_index" INTEGER NOT NULL,
    "phase_id" TEXT NOT NULL,
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "last_message" TEXT NOT NULL,
    "state" JSON NOT NULL,

    CONSTRAINT "awaited_turns_pkey" PRIMARY KEY ("attempt_id")
);

-- CreateTable
CREATE TABLE "human_turns" (
    "attempt_id" UUID NOT NULL,
    "phase_id" TEXT NOT NULL,
    "turn_index" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    "given_at" TIMESTAMPTZ(3) NOT NULL,
    "given_by" TEXT NOT NULL,

    CONSTRAINT "human_turns_pkey" PRIMARY KEY ("attempt_id","phase_id")
);

-- CreateTable
CREATE TABLE "manual_phases" (
    "attempt_id" UUID NOT NULL,
    "phase_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3),
    "requested_by" TEXT,
    "reached_in" INTEGER,

    CONSTRAINT "manual_phases_pkey" PRIMARY KEY ("attempt_id","phase_id")
);

-- AddForeignKey
ALTER TABLE "awaited_turns" ADD CONSTRAINT "awaited_turns_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_turns" ADD CONSTRAINT "human_turns_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "manual_phases" ADD CONSTRAINT "manual_phases_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
