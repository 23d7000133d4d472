-- AlterTable
ALTER TABLE "rankings" ADD COLUMN     "variants" TEXT NOT NULL DEFAULT '[]';
