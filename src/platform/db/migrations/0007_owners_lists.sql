DROP INDEX "reports_created_by_index";--> statement-breakpoint
DROP INDEX "workbooks_created_by_index";--> statement-breakpoint
CREATE INDEX "reports_created_by_name_id_index" ON "reports" USING btree ("created_by","name","id");--> statement-breakpoint
CREATE INDEX "reports_created_by_created_at_id_index" ON "reports" USING btree ("created_by","created_at","id");--> statement-breakpoint
CREATE INDEX "reports_created_by_updated_at_id_index" ON "reports" USING btree ("created_by","updated_at","id");--> statement-breakpoint
CREATE INDEX "workbooks_created_by_id_index" ON "workbooks" USING btree ("created_by","id");