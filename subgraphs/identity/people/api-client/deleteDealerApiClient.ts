import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { DeleteDealerApiClientInput } from '../../identity.generated.ts';
import { ApiClientModel } from './model.ts';

/** Deletes an API client. Allowed in every state of the dealer, because revoking a credential is never a risk. */
export async function deleteDealerApiClient(
  { dealerId, clientId }: DeleteDealerApiClientInput,
  context: RequestContext,
): Promise<{ deletedClientId: string }> {
  if (!isId('client', clientId)) throw notFound('The API client');
  await inTransaction(async (session) => {
    const clients = scoped(ApiClientModel, context.installationId);
    if ((await clients.deleteMany({ _id: clientId, dealerId }, { session })) === 0)
      throw notFound('The API client');
    const target = { type: 'client', id: clientId };
    await recordAudit(context, { action: 'deleteDealerApiClient', target }, { session });
  });
  context.platform.forgetPrincipal({ clientId });
  return { deletedClientId: clientId };
}
