-- What a secret is bound to: `origin` or `any`. Rows from before, and those that a vault from before writes, have none.
ALTER TABLE "secrets" ADD COLUMN "binding" TEXT;
