import type { RouteBinding } from '../route/RouteBinding.ts';

/** Caching of a route's responses, and the headers that they depend on. */
export interface CacheRules {
  /** `Cache-Control` of a successful response. */
  readonly control: string;
  /** A caller with a token gets a personal answer, which is `private, no-store`. */
  readonly isPersonalWithToken: boolean;
  /** Request headers that the response depends on, in addition to those of other layers. */
  readonly vary: readonly string[];
}

/** Reads off a route how its answers may be cached. */
export function cacheRules({ route, guard, acceptLanguage }: RouteBinding): CacheRules {
  const isPublic = guard.public === true;
  // The response differs for a caller with a token, so caches must distinguish them.
  const isPersonalWithToken = isPublic && route.cache !== undefined && !route.ignoreAuthorization;
  const vary = new Set([
    ...(isPersonalWithToken ? ['Authorization'] : []),
    ...(route.csv || route.stream ? ['Accept'] : []),
    ...(acceptLanguage ? ['Accept-Language'] : []),
    ...route.vary,
  ]);
  return { control: route.cache ?? 'no-store', isPersonalWithToken, vary: [...vary] };
}
