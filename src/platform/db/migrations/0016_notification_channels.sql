ALTER TABLE "notification_deliveries" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_recipients" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD COLUMN "channel" text;--> statement-breakpoint
ALTER TABLE "notification_recipients" ADD COLUMN "channel" text;--> statement-breakpoint
ALTER TABLE "notification_recipients" ADD COLUMN "channel_name" text;--> statement-breakpoint
ALTER TABLE "notification_recipients" ADD COLUMN "embed_tenant_id" bigint;--> statement-breakpoint
ALTER TABLE "notification_recipients" ADD CONSTRAINT "notification_recipients_embed_tenant_id_embed_tenants_id_fk" FOREIGN KEY ("embed_tenant_id") REFERENCES "public"."embed_tenants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_run_id_channel_purpose_index" ON "notification_deliveries" USING btree ("run_id","channel","purpose") WHERE "notification_deliveries"."user_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_recipients_notification_id_channel_index" ON "notification_recipients" USING btree ("notification_id","channel") WHERE "notification_recipients"."user_id" is null;--> statement-breakpoint
CREATE INDEX "notification_recipients_embed_tenant_id_index" ON "notification_recipients" USING btree ("embed_tenant_id");