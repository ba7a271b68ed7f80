import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerymySessionsArgs } from '../../identity.generated.ts';
import { SessionModel, type SessionRecord } from './model.ts';
import { liveAt } from './policy.ts';

export function mySessions(
  { first, after }: QuerymySessionsArgs,
  context: RequestContext,
): Promise<Connection<SessionRecord>> {
  return findPage({
    context,
    collection: scoped(SessionModel, context.installationId),
    filter: { userId: context.viewer.id },
    moving: liveAt(new Date(context.platform.now())),
    sort: [{ key: 'createdAt', direction: -1 }],
    first,
    after,
  });
}
