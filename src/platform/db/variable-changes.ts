import { sql } from 'drizzle-orm';
import type { Db } from './database.js';

/** Channel that is notified of every change of variables, and of tokens in the URL of the data source. */
export const variablesChannel = 'environment_variables';

/** Makes all platforms on the database read variables and tokens again when the transaction commits. */
export async function notifyVariables(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${variablesChannel}, '')`);
}

/** A variable of a deployment with its value. */
export interface ServedVariable {
  readonly name: string;
  readonly value: string;
  /** Changes whenever the value is written. Reveals nothing about the value. */
  readonly revision: string;
}
