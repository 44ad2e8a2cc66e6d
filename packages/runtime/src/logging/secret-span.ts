/** A stretch of text that holds a credential, end exclusive. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}
