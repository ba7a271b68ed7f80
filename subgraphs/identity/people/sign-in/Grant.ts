import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';
import type { Tokens } from '../session/openSession.ts';

/** Exchanges one kind of credential for tokens; every refusal carries OAuth's `error` (RFC 6749, 5.2). */
export type Grant = (input: IssueTokenInput, context: RequestContext) => Promise<Tokens>;
