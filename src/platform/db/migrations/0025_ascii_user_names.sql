DROP INDEX "users_username_lower";--> statement-breakpoint
DROP INDEX "users_email_lower";--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_lower" ON "users" USING btree (lower("username" collate "C"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_lower" ON "users" USING btree (lower("email" collate "C")) WHERE "users"."embed_tenant_id" is null;