DROP INDEX "group_members_group_id_index";--> statement-breakpoint
ALTER TABLE "group_members" ADD COLUMN "added_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_threads" ADD COLUMN "embed_tenant_id" bigint;--> statement-breakpoint
ALTER TABLE "chat_threads" ADD CONSTRAINT "chat_threads_embed_tenant_id_embed_tenants_id_fk" FOREIGN KEY ("embed_tenant_id") REFERENCES "public"."embed_tenants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_members_group_id_added_at_user_id_index" ON "group_members" USING btree ("group_id","added_at","user_id");--> statement-breakpoint
CREATE INDEX "chat_threads_user_id_index" ON "chat_threads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "chat_threads_embed_tenant_id_index" ON "chat_threads" USING btree ("embed_tenant_id");--> statement-breakpoint
CREATE INDEX "dashboard_comments_embed_tenant_id_index" ON "dashboard_comments" USING btree ("embed_tenant_id");--> statement-breakpoint
CREATE INDEX "dashboard_comments_user_id_index" ON "dashboard_comments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dashboard_comments_resolved_by_index" ON "dashboard_comments" USING btree ("resolved_by");--> statement-breakpoint
CREATE INDEX "dashboards_created_by_index" ON "dashboards" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "folders_updated_by_index" ON "folders" USING btree ("updated_by");--> statement-breakpoint
CREATE INDEX "report_placements_placed_by_index" ON "report_placements" USING btree ("placed_by");--> statement-breakpoint
CREATE INDEX "report_placements_refreshed_by_index" ON "report_placements" USING btree ("refreshed_by");--> statement-breakpoint
CREATE INDEX "reports_refreshed_by_index" ON "reports" USING btree ("refreshed_by");--> statement-breakpoint
CREATE INDEX "transform_syncs_user_id_index" ON "transform_syncs" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notifications_created_by_index" ON "notifications" USING btree ("created_by");