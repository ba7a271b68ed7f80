import type { Platform } from '../../../platform/context/Platform.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';

/** The installation whose money moves, by a request, a webhook or a job; a request's context is one. */
export interface MoneyContext {
  readonly installationId: string;
  readonly installation: Installation;
  readonly platform: Platform;
}

/** What the ledger needs of it. */
export type LedgerContext = Pick<MoneyContext, 'installationId' | 'platform'>;
