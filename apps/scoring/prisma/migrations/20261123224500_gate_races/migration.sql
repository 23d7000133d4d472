-- AlterTable
ALTER TABLE "gate_decisions" ADD COLUMN     "race" TEXT;
