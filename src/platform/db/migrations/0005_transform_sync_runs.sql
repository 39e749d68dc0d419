ALTER TABLE "transform_syncs" ADD COLUMN "trigger" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "transform_syncs" ADD COLUMN "git_ref" text;--> statement-breakpoint
ALTER TABLE "transform_syncs" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "transform_syncs_one_runs" ON "transform_syncs" USING btree ("deployment_id","branch_name") WHERE status = 'RUNNING';