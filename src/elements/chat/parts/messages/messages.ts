/** Words of the parts of a chat that load late. */
export interface ChatPartMessages {
  /** Steps, folded to one line. */
  readonly queried: string;
  readonly querying: string;
  readonly queryFailed: string;
  readonly searchedModel: string;
  readonly searchingModel: string;
  readonly usedTool: (name: string) => string;
  readonly usingTool: (name: string) => string;
  readonly toolFailed: (name: string) => string;
  /** By the count itself, since languages have up to six forms. */
  readonly rowCount: (count: number) => string;
  readonly seconds: (seconds: string) => string;
  readonly query: string;
  readonly input: string;
  readonly result: string;
  readonly copy: string;
  readonly copied: string;
  /** Results. */
  readonly chart: string;
  readonly table: string;
  readonly showAs: string;
  readonly resultTitle: string;
  /** Note below a chart whose first or last period the query covers in part. */
  readonly partialPeriods: string;
  readonly firstRows: (shown: string, total: string) => string;
  readonly loadAll: string;
  readonly loading: string;
  readonly cancel: string;
  readonly loadFailed: string;
  readonly downloadCsv: string;
  readonly noRows: string;
  readonly drawingFailed: string;
  /** Threads. */
  readonly threads: string;
  readonly newThread: string;
  readonly noThreads: string;
  readonly threadsFailed: string;
  readonly retry: string;
  readonly rename: (title: string) => string;
  readonly newTitle: string;
  readonly remove: (title: string) => string;
  readonly confirmRemove: string;
  readonly removeNow: string;
  readonly keep: string;
  readonly save: string;
  readonly moreThreads: string;
  readonly answering: string;
  readonly actionFailed: string;
  /** Attachments. */
  readonly attachments: string;
  readonly removeImage: (name: string) => string;
  readonly imageName: (number: string) => string;
}
