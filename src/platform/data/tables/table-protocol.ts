/** Converts a file to Parquet. */
export interface ConvertRequest {
  readonly kind: 'convert';
  /** The file, whose extension is its format. */
  readonly file: string;
  /** Sheet of a workbook; `null` for the first one. */
  readonly sheet: string | null;
  /** The Parquet file to write. */
  readonly output: string;
  /** Folder for temporary files. */
  readonly scratch: string;
}

/** Appends the rows of a Parquet file to those of another one. */
export interface AppendRequest {
  readonly kind: 'append';
  readonly base: string;
  readonly added: string;
  /** The Parquet file to write. */
  readonly output: string;
  readonly scratch: string;
}

/** Request to the process that reads uploaded files. */
export type TableRequest = ConvertRequest | AppendRequest;

/** A column of a table, with its DuckDB type. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** Description of a Parquet file. */
export interface DescribedTable {
  readonly rows: number;
  readonly columns: readonly TableColumn[];
  /** The first rows as text. */
  readonly preview: readonly (readonly (string | null)[])[];
  /** Names of the sheets of a workbook; empty for other formats. */
  readonly sheets: readonly string[];
}

/** Reply of the process; `problem` is null if the cause is unknown. */
export type TableReply = { readonly table: DescribedTable } | { readonly problem: string | null };
