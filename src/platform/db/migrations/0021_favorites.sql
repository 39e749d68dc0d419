CREATE TABLE "folder_favorites" (
	"user_id" bigint NOT NULL,
	"folder_id" bigint NOT NULL,
	CONSTRAINT "folder_favorites_user_id_folder_id_pk" PRIMARY KEY("user_id","folder_id")
);
--> statement-breakpoint
CREATE TABLE "report_favorites" (
	"user_id" bigint NOT NULL,
	"report_id" bigint NOT NULL,
	CONSTRAINT "report_favorites_user_id_report_id_pk" PRIMARY KEY("user_id","report_id")
);
--> statement-breakpoint
CREATE TABLE "workbook_favorites" (
	"user_id" bigint NOT NULL,
	"workbook_id" bigint NOT NULL,
	CONSTRAINT "workbook_favorites_user_id_workbook_id_pk" PRIMARY KEY("user_id","workbook_id")
);
--> statement-breakpoint
ALTER TABLE "dashboard_versions" ADD COLUMN "published_by" bigint;--> statement-breakpoint
ALTER TABLE "folder_favorites" ADD CONSTRAINT "folder_favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folder_favorites" ADD CONSTRAINT "folder_favorites_folder_id_folders_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."folders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_favorites" ADD CONSTRAINT "report_favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_favorites" ADD CONSTRAINT "report_favorites_report_id_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workbook_favorites" ADD CONSTRAINT "workbook_favorites_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workbook_favorites" ADD CONSTRAINT "workbook_favorites_workbook_id_workbooks_id_fk" FOREIGN KEY ("workbook_id") REFERENCES "public"."workbooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "folder_favorites_folder_id_index" ON "folder_favorites" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "report_favorites_report_id_index" ON "report_favorites" USING btree ("report_id");--> statement-breakpoint
CREATE INDEX "workbook_favorites_workbook_id_index" ON "workbook_favorites" USING btree ("workbook_id");--> statement-breakpoint
ALTER TABLE "dashboard_versions" ADD CONSTRAINT "dashboard_versions_published_by_users_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dashboard_versions_published_by_index" ON "dashboard_versions" USING btree ("published_by");