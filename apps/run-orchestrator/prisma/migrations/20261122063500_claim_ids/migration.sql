-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "claim_id" UUID;
