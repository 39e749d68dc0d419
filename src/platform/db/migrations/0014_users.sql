CREATE TABLE "exchanged_sessions" (
	"session_key" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "directory_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "settings" json DEFAULT '{}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deactivated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "exchanged_sessions" ADD CONSTRAINT "exchanged_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exchanged_sessions_user_id_index" ON "exchanged_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "exchanged_sessions_expires_at_index" ON "exchanged_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_lower" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_lower" ON "users" USING btree (lower("email")) WHERE "users"."embed_tenant_id" is null;