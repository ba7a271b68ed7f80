import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { findAiSettings, providerHostOf } from '../settings/aiSettings.ts';
import { type InvalidReason, invalidReasonOf } from './acknowledgements.ts';
import { acknowledgeSeoPrivacy } from './acknowledgeSeoPrivacy.ts';
import { AcknowledgementModel, type StoredAcknowledgement } from './model.ts';
import { revokeSeoPrivacyAcknowledgement } from './revokeSeoPrivacyAcknowledgement.ts';

/** Parent of the resolvers of an acknowledgement. */
export type SeoPrivacyAcknowledgementParent = StoredAcknowledgement;

const resolvers: Resolvers = {
  Mutation: {
    acknowledgeSeoPrivacy: (_, { input }, context) => acknowledgeSeoPrivacy(input, context),
    revokeSeoPrivacyAcknowledgement: (_, { input }, context) =>
      revokeSeoPrivacyAcknowledgement(input, context),
  },
  SeoPrivacyAcknowledgement: {
    acknowledgedBy: ({ acknowledgedBy }) => toUser(acknowledgedBy),
    revokedBy: ({ revokedBy }) => toUser(revokedBy),
    valid: async (acknowledgement, _, context) => (await reasonOf(context, acknowledgement)) === null,
    invalidReason: (acknowledgement, _, context) => reasonOf(context, acknowledgement),
  },
};

async function reasonOf(
  context: RequestContext,
  acknowledgement: StoredAcknowledgement,
): Promise<InvalidReason | null> {
  const host = providerHostOf(await context.loader(presentSettings));
  return invalidReasonOf(acknowledgement, host);
}

function presentSettings(context: RequestContext): ReturnType<typeof findAiSettings> {
  return findAiSettings(context);
}

function toUser(id: string | null): { id: string } | null {
  return id !== null && isId('user', id) ? { id } : null;
}

/** A user's agreement that texts are sent. */
export const aiAcknowledgement: Resource = { resolvers, models: [AcknowledgementModel] };
