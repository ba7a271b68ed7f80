import type { RequestContext } from './RequestContext.ts';

/** An installation and its platform: the context of use cases that both requests and jobs run. */
export type InstallationContext = Pick<RequestContext, 'installationId' | 'platform'>;
