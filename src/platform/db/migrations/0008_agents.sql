ALTER TABLE "agents" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "instructions" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "views" json;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "tools" json;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "suggestions" json;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "groups" json;