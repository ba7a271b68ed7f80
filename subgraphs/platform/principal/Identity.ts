import type { AppError } from '../errors/AppError.ts';
import type { Viewer } from './Viewer.ts';

/** Result of checking the request's credentials. */
export type Identity =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'rejected'; readonly error: AppError }
  | { readonly kind: 'accepted'; readonly viewer: Viewer };

/** No credentials at all. */
export const anonymous: Identity = { kind: 'anonymous' };
