-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "model_calls" TEXT,
ADD COLUMN     "replay_from" UUID;
