-- AlterTable
ALTER TABLE "attempts" ADD COLUMN     "pack_error" JSON;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "case_keys" JSON,
ADD COLUMN     "pack_errors" JSON NOT NULL DEFAULT '[]';
