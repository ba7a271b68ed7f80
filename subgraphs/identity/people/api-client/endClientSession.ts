import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ApiClientModel, type ApiClientRecord } from './model.ts';

/** Ends every access token of an API client. With its secret, the client gets new tokens of another session. */
export async function endClientSession(
  { installationId, platform }: RequestContext,
  { _id, sessionId }: Pick<ApiClientRecord, '_id' | 'sessionId'>,
): Promise<void> {
  await scoped(ApiClientModel, installationId).updateMany(
    { _id, sessionId },
    { $set: { sessionId: newId('session') } },
  );
  platform.forgetPrincipal({ clientId: _id });
}
