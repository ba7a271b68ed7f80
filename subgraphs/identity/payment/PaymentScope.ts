import type { Platform } from '../../platform/context/Platform.ts';
import type { Installation } from '../../platform/installation/Installation.ts';

/** In which installation a payment goes on, be it by a request, a webhook or a job; a request's context is one. */
export interface PaymentScope {
  readonly platform: Platform;
  readonly installation: Installation;
}
