DROP INDEX "users_username_lower";--> statement-breakpoint
DROP INDEX "users_email_lower";--> statement-breakpoint
-- In databases with Turkish, Azerbaijani or Lithuanian rules, names that differ only in the case of ASCII letters were
-- different. The oldest user keeps its name; the oldest active user keeps its email.
UPDATE "users" SET "username" = "username" || ' (' || "id" || ')' WHERE EXISTS (SELECT FROM "users" "older" WHERE "older"."id" < "users"."id" AND lower("older"."username" collate "C") = lower("users"."username" collate "C"));--> statement-breakpoint
UPDATE "users" SET "email" = NULL WHERE "embed_tenant_id" IS NULL AND EXISTS (SELECT FROM "users" "older" WHERE ("older"."deactivated_at" IS NOT NULL, "older"."id") < ("users"."deactivated_at" IS NOT NULL, "users"."id") AND "older"."embed_tenant_id" IS NULL AND lower("older"."email" collate "C") = lower("users"."email" collate "C"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_lower" ON "users" USING btree (lower("username" collate "C"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_lower" ON "users" USING btree (lower("email" collate "C")) WHERE "users"."embed_tenant_id" is null;
