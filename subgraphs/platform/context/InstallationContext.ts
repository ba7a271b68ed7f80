import type { RequestContext } from './RequestContext.ts';

/** An installation and the platform it runs on: what a use case needs that jobs start as well as requests. */
export type InstallationContext = Pick<RequestContext, 'installationId' | 'platform'>;
