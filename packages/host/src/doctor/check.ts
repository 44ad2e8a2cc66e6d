import type { Environment, HomeScope } from '@hermes/runtime';

export type Severity = 'ok' | 'info' | 'warning' | 'error';

/** One finding of the doctor. `fix` says what to do; null when there is nothing to do. */
export interface DoctorRow {
  readonly id: string;
  readonly severity: Severity;
  readonly detail: string;
  readonly fix: string | null;
}

export interface DoctorContext {
  readonly scope: HomeScope;
  readonly env: Environment;
  /** Size and kind of the terminal; undefined outside of one. */
  readonly terminal: { readonly columns: number; readonly rows: number; readonly colors: number } | undefined;
}

/** One check: reads, never changes anything, and answers for what it looked at. */
export interface DoctorCheck {
  readonly id: string;
  readonly run: (context: DoctorContext) => Promise<readonly Omit<DoctorRow, 'id'>[]>;
}
