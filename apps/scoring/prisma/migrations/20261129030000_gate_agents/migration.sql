-- AlterTable
ALTER TABLE "gate_decisions" ADD COLUMN     "agents" TEXT;
