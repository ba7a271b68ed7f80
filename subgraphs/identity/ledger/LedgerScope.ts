import type { Platform } from '../../platform/context/Platform.ts';

/** In whose books, and by which clock; a request's context is one. */
export interface LedgerScope {
  readonly installationId: string;
  readonly platform: Pick<Platform, 'now'>;
}
