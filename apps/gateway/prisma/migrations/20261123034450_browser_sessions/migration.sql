-- AlterTable
ALTER TABLE "tokens" ADD COLUMN     "session_of" UUID;

-- CreateTable
CREATE TABLE "sign_in_codes" (
    "sha256" TEXT NOT NULL,
    "token_id" UUID NOT NULL,
    "session_seconds" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_codes_pkey" PRIMARY KEY ("sha256")
);

-- CreateIndex
CREATE INDEX "sign_in_codes_expires_at_idx" ON "sign_in_codes"("expires_at");

-- CreateIndex
CREATE INDEX "tokens_session_of_idx" ON "tokens"("session_of");
