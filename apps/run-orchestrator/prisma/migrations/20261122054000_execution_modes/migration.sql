-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "execution_mode" TEXT NOT NULL DEFAULT 'native';
