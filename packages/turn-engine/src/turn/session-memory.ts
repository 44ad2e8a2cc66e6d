import type { WireTranscript } from '@hermes/context-engine';
import type { RecoveryNotice } from './recover-conversation.ts';

/**
 * What an opened session keeps between its turns so that the next one need not read it again. Derived from the store: it is valid
 * only while nobody else has held the conversation, which the fence tells.
 */
export class SessionMemory {
  system: string | undefined;
  wire: WireTranscript | undefined;
  /** Fence of the lease under which the above were last true. */
  fence = 0;
  /** What recovery found before a turn could tell it. */
  readonly notices: RecoveryNotice[] = [];

  forget(): void {
    this.system = undefined;
    this.wire = undefined;
  }
}
