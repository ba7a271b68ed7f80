import type { Platform } from '../../../platform/context/Platform.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';

/** Context of a movement of money by a request, a webhook or a job. The context of a request is one. */
export interface MoneyContext {
  readonly installationId: string;
  readonly installation: Installation;
  readonly platform: Platform;
}

/** Part of the context that the ledger needs. */
export type LedgerContext = Pick<MoneyContext, 'installationId' | 'platform'>;
