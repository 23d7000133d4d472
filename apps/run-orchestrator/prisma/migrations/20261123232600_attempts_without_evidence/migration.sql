-- AlterTable
ALTER TABLE "attempts" ADD COLUMN     "lacks_evidence" BOOLEAN NOT NULL DEFAULT false;
