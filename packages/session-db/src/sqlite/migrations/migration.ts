/** One step of the schema. Applied in order, each in a transaction of its own; never edited once released. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}
