CREATE TABLE "content_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"deployment_id" bigint NOT NULL,
	"status" text NOT NULL,
	"commit" text,
	"user_id" bigint,
	"log" json DEFAULT '[]'::json NOT NULL,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "content_runs" ADD CONSTRAINT "content_runs_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_runs" ADD CONSTRAINT "content_runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_runs_deployment_id_requested_at_id_index" ON "content_runs" USING btree ("deployment_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "content_runs_user_id_index" ON "content_runs" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "content_runs_one_waits" ON "content_runs" USING btree ("deployment_id") WHERE status = 'QUEUED';--> statement-breakpoint
CREATE UNIQUE INDEX "content_runs_one_runs" ON "content_runs" USING btree ("deployment_id") WHERE status = 'RUNNING';