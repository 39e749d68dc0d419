CREATE TABLE "chat_feedback" (
	"turn_id" bigint PRIMARY KEY NOT NULL,
	"rating" text NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_feedback_rating" CHECK ("chat_feedback"."rating" in ('up', 'down'))
);
--> statement-breakpoint
ALTER TABLE "chat_feedback" ADD CONSTRAINT "chat_feedback_turn_id_chat_turns_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."chat_turns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_feedback_updated_at_turn_id_index" ON "chat_feedback" USING btree ("updated_at","turn_id");