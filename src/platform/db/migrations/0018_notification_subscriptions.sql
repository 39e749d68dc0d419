ALTER TABLE "notifications" ADD COLUMN "subscriber_id" bigint;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_subscriber_id_users_id_fk" FOREIGN KEY ("subscriber_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_subscriber_id_index" ON "notifications" USING btree ("subscriber_id");