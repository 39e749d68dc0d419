CREATE TABLE "dashboard_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"deployment_id" bigint NOT NULL,
	"dashboard_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"subject_user_id" bigint NOT NULL,
	"subject" json NOT NULL,
	"format" text NOT NULL,
	"controls" json NOT NULL,
	"status" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"error" text,
	"content_type" text,
	"content" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dashboard_exports" ADD CONSTRAINT "dashboard_exports_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_exports" ADD CONSTRAINT "dashboard_exports_dashboard_id_dashboards_id_fk" FOREIGN KEY ("dashboard_id") REFERENCES "public"."dashboards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_exports" ADD CONSTRAINT "dashboard_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_exports" ADD CONSTRAINT "dashboard_exports_subject_user_id_users_id_fk" FOREIGN KEY ("subject_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dashboard_exports_expires_at_index" ON "dashboard_exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "dashboard_exports_subject_user_id_index" ON "dashboard_exports" USING btree ("subject_user_id");--> statement-breakpoint
CREATE INDEX "dashboard_exports_user_id_index" ON "dashboard_exports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dashboard_exports_dashboard_id_index" ON "dashboard_exports" USING btree ("dashboard_id");