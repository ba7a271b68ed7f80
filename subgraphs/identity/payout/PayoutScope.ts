import type { Platform } from '../../platform/context/Platform.ts';
import type { Installation } from '../../platform/installation/Installation.ts';

/** In whose books a payout is worked on. */
export interface PayoutScope {
  readonly installationId: string;
  readonly installation: Installation;
  readonly platform: Platform;
}
