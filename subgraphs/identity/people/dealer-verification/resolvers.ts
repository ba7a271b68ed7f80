import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  DealerResolvers,
  DealerVerificationResolvers,
  MutationResolvers,
} from '../../identity.generated.ts';
import { approveDealer } from './approveDealer.ts';
import { toVerification } from './contentOf.ts';
import { dealerVerificationExpiryJob } from './dealerVerificationExpiry.ts';
import { documentAuditLoader } from './documentAuditLoader.ts';
import { putDealerVerification } from './putDealerVerification.ts';
import { rejectDealer } from './rejectDealer.ts';
import { submitDealerVerification } from './submitDealerVerification.ts';

const Mutation: MutationResolvers = {
  putDealerVerification: async (_, { input }, context) => {
    const dealer = await putDealerVerification(input, context);
    return { dealer, verification: toVerification(dealer) };
  },
  submitDealerVerification: async (_, { input }, context) => {
    const { dealer } = await submitDealerVerification(input, context);
    return { dealer, verification: toVerification(dealer) };
  },
  approveDealer: (_, { input }, context) => approveDealer(input, context),
  rejectDealer: (_, { input }, context) => rejectDealer(input, context),
};

const DealerVerification: DealerVerificationResolvers = {
  documents: async ({ dealerId, documents }, _, context) => {
    if (!context.viewer.hasDealerRole(dealerId, 'OWNER'))
      await context.loader(documentAuditLoader).load(dealerId);
    return documents;
  },
};

const Dealer: DealerResolvers = { verification: (dealer) => toVerification(dealer) };

export const dealerVerification: Resource = {
  resolvers: { Mutation, DealerVerification, Dealer },
  jobs: [dealerVerificationExpiryJob],
};
